package io.holdfast.cli.commands.inspect;

import io.holdfast.cli.Colours.Ink;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.cli.store.StoreOption;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code show}: prints one lock with all its holders and waiters. */
@Command(
    name = "show",
    description = {
      "Shows the holders and the waiters of a lock.",
      "Since when, for how long, with which token; the waiters in their order.",
      "Ends with 0 if the lock has a holder, a waiter or the mark of a run, and with 1 if not."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast show orders/42",
      "  holdfast show nightly-report --json",
      "  holdfast show deploy >/dev/null || echo free"
    })
public final class ShowCommand implements Callable<Integer> {

  @Mixin private StoreOption store = new StoreOption();

  @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
  private String name = "";

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  /** For picocli. */
  public ShowCommand() {}

  @Override
  public Integer call() {
    Screen out = Screen.out();
    try (OperatorSession session = OperatorSession.open(store)) {
      Optional<LineView> line = session.show(name);
      if (json) {
        out.line(Json.text(json(session, line)));
      } else {
        line.ifPresentOrElse(
            found -> print(out, new LineDescription(found)),
            () -> out.line(Screen.safe(name) + " is free at " + session.store()));
      }
      return line.isPresent() ? ExitCode.OK : ExitCode.NOT_ACQUIRED;
    }
  }

  private Object json(OperatorSession session, Optional<LineView> line) {
    return line.isPresent()
        ? new LineDescription(line.get()).json()
        : Map.of("namespace", session.namespace(), "name", name, "state", "free");
  }

  private static void print(Screen out, LineDescription facts) {
    out.line(
        out.paint(Ink.BOLD, Screen.safe(facts.name()))
            + "  "
            + facts.kind()
            + ", "
            + facts.state());
    for (TicketView holder : facts.holders()) {
      print(out, holder);
    }
    facts
        .line()
        .marked()
        .ifPresent(
            left -> out.line("  done       nobody runs it for another " + Durations.text(left)));
    List<TicketView> waiters = facts.waiters();
    out.line("  waiting    " + facts.waitingInWords());
    for (int i = 0; i < waiters.size(); i++) {
      TicketView waiter = waiters.get(i);
      out.line(
          "    "
              + (i + 1)
              + ". "
              + LineDescription.label(waiter.owner())
              + ", for "
              + Durations.text(waiter.age())
              + weight(waiter));
    }
  }

  private static void print(Screen out, TicketView holder) {
    out.line("  holder     " + LineDescription.label(holder.owner()) + weight(holder));
    out.line("  token      " + holder.token());
    out.line("  since      " + Durations.text(holder.age()));
    out.line("  lease left " + Durations.text(holder.leaseLeft()));
    if (holder.state() == TicketView.State.REVOKED) {
      out.line("  " + out.paint(Ink.WARN, "was revoked"));
    }
  }

  private static String weight(TicketView ticket) {
    return ticket.weight() == 1 ? "" : ", weight " + ticket.weight();
  }
}
