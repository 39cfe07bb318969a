package io.holdfast.cli.commands.doctor;

import io.holdfast.cli.CliException;
import io.holdfast.cli.Colours.Ink;
import io.holdfast.cli.ErrorText;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.cli.commands.CleanupOnSignal;
import io.holdfast.cli.store.StoreAddress;
import io.holdfast.cli.store.StoreOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code doctor}: checks this machine and the store, and suggests fixes. */
@Command(
    name = "doctor",
    description = {
      "Checks this machine and the store, and suggests fixes.",
      "Connects, acquires and releases a lock, and checks what could cost one: versions,"
          + " eviction, persistence, clocks, rights, poolers, latency, file modes.",
      "Ends with 0 if nothing needs fixing, with 1 if something does."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast doctor",
      "  holdfast doctor --store redis://db",
      "  holdfast doctor --json | jq -c '.findings[] | select(.fix != \"\")'"
    })
public final class DoctorCommand implements Callable<Integer> {

  @Mixin private StoreOption store = new StoreOption();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  /** For picocli. */
  public DoctorCommand() {}

  @Override
  public Integer call() {
    Screen out = Screen.out();
    List<Finding> findings = new ArrayList<>();
    Checkup rounds =
        new Checkup(
            finding -> {
              findings.add(finding);
              if (!json) {
                print(out, finding);
              }
            });
    rounds.lookAtThisMachine();
    String shown = lookAtStore(rounds);
    boolean well = findings.stream().noneMatch(Finding::isTrouble);
    if (json) {
      out.line(Json.text(json(shown, well, findings)));
    } else {
      out.line("");
      out.line(
          well
              ? out.paint(Ink.GOOD, "Nothing to fix.")
              : out.paint(Ink.WARN, "Something to fix: see above."));
    }
    return well ? ExitCode.OK : ExitCode.NOT_ACQUIRED;
  }

  /** A store that cannot be named is a finding as well. After Ctrl-C its lock is given back. */
  private String lookAtStore(Checkup rounds) {
    try (CleanupOnSignal end = new CleanupOnSignal()) {
      StoreAddress address = store.address();
      rounds.lookAtStore(address.uri(), address.shown(), store::open);
      return address.shown();
    } catch (CliException | IllegalArgumentException e) {
      rounds.say(Finding.bad("address", ErrorText.of(e), "fix the address"));
      return "";
    }
  }

  private static void print(Screen out, Finding finding) {
    String word =
        switch (finding.level()) {
          case GOOD -> out.paint(Ink.GOOD, "ok  ");
          case NOTE -> out.paint(Ink.FAINT, "note");
          case WARN -> out.paint(Ink.WARN, "warn");
          case BAD -> out.paint(Ink.BAD, "BAD ");
        };
    // Servers may have said what they like.
    out.line(word + "  " + Screen.safe(finding.subject() + ": " + finding.text()));
    if (!finding.fix().isEmpty()) {
      out.line("      -> " + Screen.safe(finding.fix()));
    }
  }

  private static Map<String, Object> json(String store, boolean well, List<Finding> findings) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("store", store);
    json.put("well", well);
    json.put("findings", findings.stream().map(Finding::json).toList());
    return json;
  }
}
