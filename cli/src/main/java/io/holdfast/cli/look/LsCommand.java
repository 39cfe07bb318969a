package io.holdfast.cli.look;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.spi.EngineInspector.LineView;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ls}: which locks are in use, and by whom. */
@Command(
    name = "ls",
    description = "Lists the locks that are in use, and who holds them.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast ls                     all of them",
      "  holdfast ls orders/             names that begin so",
      "  holdfast ls 'orders/*/export'   names that match",
      "  holdfast ls --owner web-3       held or waited for from there",
      "  holdfast ls --json | jq .       for programs: an object a line"
    })
public final class LsCommand implements Callable<Integer> {

  private static final int USUAL_LIMIT = 10_000;

  @Mixin private WantedLocks wanted = new WantedLocks();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Ends after so many; usually " + USUAL_LIMIT + ".")
  private int limit = USUAL_LIMIT;

  @Option(names = "--json", description = "One JSON object a line.")
  private boolean json;

  /** For picocli. */
  public LsCommand() {}

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new CliException(ExitCode.USAGE, "--limit must be at least 1: --limit " + limit);
    }
    Screen out = Screen.out();
    try (Desk desk = wanted.open()) {
      List<LineView> lines = wanted.at(desk, limit);
      if (json) {
        lines.forEach(line -> out.line(Json.text(new LineFacts(line).json())));
      } else if (lines.isEmpty()) {
        Screen.err().line("nobody holds or waits for anything at " + desk.store());
      } else {
        LineTable.of(lines, out).forEach(out::line);
      }
      if (lines.size() == limit) {
        Screen.err().line("these are the first " + limit + "; there may be more: see --limit");
      }
      return ExitCode.OK;
    }
  }
}
