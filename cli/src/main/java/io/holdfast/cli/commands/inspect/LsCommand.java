package io.holdfast.cli.commands.inspect;

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

/** {@code ls}: lists the locks in use and their holders. */
@Command(
    name = "ls",
    description = "Lists the locks that are in use, and who holds them.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast ls                     all of them",
      "  holdfast ls orders/             names with this prefix",
      "  holdfast ls 'orders/*/export'   names that match",
      "  holdfast ls --owner web-3       holder or waiter there",
      "  holdfast ls --json | jq .       for programs: one object per line"
    })
public final class LsCommand implements Callable<Integer> {

  private static final int DEFAULT_LIMIT = 10_000;

  @Mixin private LockFilterOptions wanted = new LockFilterOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Stop after this many; default " + DEFAULT_LIMIT + ".")
  private int limit = DEFAULT_LIMIT;

  @Option(names = "--json", description = "Print one JSON object per line.")
  private boolean json;

  /** For picocli. */
  public LsCommand() {}

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new CliException(ExitCode.USAGE, "--limit must be at least 1: --limit " + limit);
    }
    Screen out = Screen.out();
    try (OperatorSession session = wanted.open()) {
      List<LineView> lines = wanted.at(session, limit);
      if (json) {
        lines.forEach(line -> out.line(Json.text(new LineDescription(line).json())));
      } else if (lines.isEmpty()) {
        Screen.err().line("nobody holds or waits for anything at " + session.store());
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
