package io.holdfast.cli.look;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.cli.StoreOption;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code release}: takes a lock away from its holder. */
@Command(
    name = "release",
    description = {
      "Takes a lock away from its holder.",
      "Only from the one that 'show' has shown with that token: if another has it by now, nothing"
          + " is done, and the program ends with 1.",
      "Usually the holder is asked to go: it is told at its next renewal, and others get in when"
          + " it has left or its lease has ended. With --evict they get in at once, while the old"
          + " holder may still be at work: then only the token protects what it writes.",
      "The holder sees the reason and who gave it; releases.log beside the user's own store keeps"
          + " both."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast show orders/42",
      "  holdfast release orders/42 --token 27783012352 --reason 'stuck'",
      "  holdfast release orders/42 --token 27783012352 --reason 'gone' --evict",
      "  holdfast release --host web-3 --reason 'machine burnt' --evict"
    })
public final class ReleaseCommand implements Callable<Integer> {

  private static final int LIMIT = 1_000_000;

  @Mixin private StoreOption store = new StoreOption();

  @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "The lock.")
  private @Nullable String name;

  @Option(
      names = "--token",
      paramLabel = "T",
      description = "The holder's token, as 'show' has it.")
  private @Nullable Long token;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "Instead of a name and a token: all that is held from this machine.")
  private @Nullable String host;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why; the holder sees it.")
  private String reason = "";

  @Option(names = "--evict", description = "At once.")
  private boolean evict;

  @Option(names = "--json", description = "One JSON object for each grant.")
  private boolean json;

  /** For picocli. */
  public ReleaseCommand() {}

  @Override
  public Integer call() {
    requireSense();
    Operator operator = Operator.ofThisProcess();
    try (Desk desk = Desk.open(store);
        Operator.Ledger ledger = operator.open()) {
      List<Release> releases = new ArrayList<>();
      for (Release.Aim aim : aims(desk)) {
        Release release = Release.carryOut(desk, aim, operator.signed(reason), evict);
        releases.add(release);
        // The record first: whoever reads the output may be gone.
        ledger.note(desk.store(), release);
        print(release);
      }
      if (releases.isEmpty()) {
        Screen.err().line(Screen.safe("nothing is held from " + host + " at " + desk.store()));
      }
      if (releases.stream().anyMatch(Release::isInDoubt)) {
        return ExitCode.STORE;
      }
      boolean done = !releases.isEmpty() && releases.stream().allMatch(Release::isDone);
      return done ? ExitCode.OK : ExitCode.NOT_ACQUIRED;
    }
  }

  private void requireSense() {
    boolean one = name != null && token != null && host == null;
    boolean many = name == null && token == null && host != null;
    if (!one && !many) {
      throw new CliException(
          ExitCode.USAGE, "give NAME and --token, as 'holdfast show NAME' has it; or --host alone");
    }
    if (reason.isBlank()) {
      throw new CliException(ExitCode.USAGE, "--reason must say something: the holder sees it");
    }
    if (reason.codePoints().anyMatch(Screen::isOdd)) {
      throw new CliException(
          ExitCode.USAGE, "--reason must be one line of text without control characters");
    }
  }

  private List<Release.Aim> aims(Desk desk) {
    if (name != null && token != null) {
      return List.of(new Release.Aim(name, token));
    }
    List<Release.Aim> aims = new ArrayList<>();
    for (LineView line : desk.lines(NamePattern.of(""), each -> true, LIMIT)) {
      for (TicketView holder : new LineFacts(line).holders()) {
        if (holder.owner().host().equals(host)) {
          aims.add(new Release.Aim(line.resource().name(), holder.token()));
        }
      }
    }
    return aims;
  }

  private void print(Release release) {
    Screen out = Screen.out();
    if (json) {
      out.line(Json.text(release.json()));
    } else {
      release.lines().forEach(out::line);
    }
  }
}
