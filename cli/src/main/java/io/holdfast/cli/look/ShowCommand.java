package io.holdfast.cli.look;

import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.cli.Screen.Ink;
import io.holdfast.cli.StoreOption;
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

/** {@code show}: one lock with all who are in it and wait for it. */
@Command(
    name = "show",
    description = {
      "Shows who holds a lock, and who waits for it.",
      "Since when, for how long, with which token; the waiters in their order.",
      "Ends with 0 if somebody is there or a run has left its mark, and with 1 if nobody is."
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

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  /** For picocli. */
  public ShowCommand() {}

  @Override
  public Integer call() {
    Screen out = Screen.out();
    try (Desk desk = Desk.open(store)) {
      Optional<LineView> line = desk.show(name);
      if (json) {
        out.line(Json.text(json(desk, line)));
      } else {
        line.ifPresentOrElse(
            found -> print(out, new LineFacts(found)),
            () -> out.line(Screen.safe(name) + " is free at " + desk.store()));
      }
      return line.isPresent() ? ExitCode.OK : ExitCode.NOT_ACQUIRED;
    }
  }

  private Object json(Desk desk, Optional<LineView> line) {
    return line.isPresent()
        ? new LineFacts(line.get()).json()
        : Map.of("namespace", desk.namespace(), "name", name, "state", "free");
  }

  private static void print(Screen out, LineFacts facts) {
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
              + LineFacts.label(waiter.owner())
              + ", for "
              + Durations.text(waiter.age())
              + weight(waiter));
    }
  }

  private static void print(Screen out, TicketView holder) {
    out.line("  holder     " + LineFacts.label(holder.owner()) + weight(holder));
    out.line("  token      " + holder.token());
    out.line("  since      " + Durations.text(holder.age()));
    out.line("  lease left " + Durations.text(holder.leaseLeft()));
    if (holder.state() == TicketView.State.REVOKED) {
      out.line("  " + out.paint(Ink.WARN, "was asked to go"));
    }
  }

  private static String weight(TicketView ticket) {
    return ticket.weight() == 1 ? "" : ", weight " + ticket.weight();
  }
}
