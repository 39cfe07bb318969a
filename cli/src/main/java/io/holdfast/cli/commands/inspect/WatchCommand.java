package io.holdfast.cli.commands.inspect;

import io.holdfast.cli.CliException;
import io.holdfast.cli.Colours.Ink;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.spi.EngineInspector.LineView;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code watch}: redraws the list on a terminal, prints changes as lines elsewhere. */
@Command(
    name = "watch",
    description = {
      "Lists the locks repeatedly, or prints what changes.",
      "On a terminal it shows the list, elsewhere a line for each change.",
      "Changes shorter than the interval are not seen. It ends with Ctrl-C, or at the",
      "next line after its reader, such as 'head', has ended."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast watch",
      "  holdfast watch 'orders/*' --every 200ms",
      "  holdfast watch --owner web-3",
      "  holdfast watch --changes --for 10m >> locks.log",
      "  holdfast watch --json | jq -r .change"
    })
public final class WatchCommand implements Callable<Integer> {

  private static final int LIMIT = 100_000;
  private static final Duration SHORTEST = Duration.ofMillis(50);
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[J";

  @Mixin private LockFilterOptions wanted = new LockFilterOptions();

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "The interval, at least 50ms; default 1s.")
  private Duration every = Duration.ofSeconds(1);

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Stop after this time; default never.")
  private @Nullable Duration time;

  @Option(names = "--changes", description = "Print changes as lines on a terminal, too.")
  private boolean changes;

  @Option(names = "--json", description = "Print changes as one JSON object per line.")
  private boolean json;

  /** For picocli. */
  public WatchCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    if (every.compareTo(SHORTEST) < 0) {
      throw new CliException(ExitCode.USAGE, "--every must be at least 50ms");
    }
    Screen out = Screen.out();
    long start = System.nanoTime();
    try (OperatorSession session = wanted.open()) {
      WatchedStore store = new WatchedStore(() -> wanted.at(session, LIMIT));
      while (true) {
        if (redraws(out)) {
          redraw(out, session, store);
        } else {
          print(out, session, store);
        }
        if (out.isGone()) {
          return ExitCode.OK;
        }
        if (time != null && System.nanoTime() - start + every.toNanos() > time.toNanos()) {
          return store.isSilent() ? ExitCode.STORE : ExitCode.OK;
        }
        TimeUnit.NANOSECONDS.sleep(every.toNanos());
      }
    }
  }

  private boolean redraws(Screen out) {
    return out.isTerminal() && !changes && !json;
  }

  private void redraw(Screen out, OperatorSession session, WatchedStore store) {
    store.look();
    LocalTime at = LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
    StringBuilder page = new StringBuilder(HOME_AND_CLEAR);
    page.append(out.paint(Ink.BOLD, session.store()));
    page.append("  ").append(at).append(", every ").append(Durations.text(every)).append("\n\n");
    if (store.isSilent()) {
      String text = "does not reply; still trying: " + Screen.safe(store.why());
      page.append(out.paint(Ink.BAD, text)).append("\n\n");
    }
    List<String> table = LineTable.of(store.lines(), out);
    (store.lines().isEmpty() ? List.of("nobody holds or waits for anything") : table)
        .forEach(line -> page.append(line).append('\n'));
    out.print(page.toString());
  }

  private void print(Screen out, OperatorSession session, WatchedStore store) {
    boolean wasSilent = store.isSilent();
    List<LineView> before = store.lines();
    store.look();
    if (store.isSilent() != wasSilent) {
      tell(out, session.store(), store);
    }
    LineChange.between(before, store.lines()).forEach(change -> print(out, change));
  }

  /** In JSON it is one of the changes, so that their reader knows of the gap. */
  private void tell(Screen out, String address, WatchedStore store) {
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("time", now());
      all.put("change", store.isSilent() ? "silent" : "back");
      all.put("store", address);
      if (store.isSilent()) {
        all.put("why", store.why());
      }
      out.line(Json.text(all));
    } else {
      String text =
          store.isSilent()
              ? " does not reply: "
                  + store.why()
                  + "; still trying; changes until then are not seen"
              : " is reachable again";
      Screen.say(address + text);
    }
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private void print(Screen out, LineChange change) {
    Instant at = now();
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("time", at);
      all.putAll(change.json());
      out.line(Json.text(all));
    } else {
      out.line(at + " " + change.text());
    }
  }
}
