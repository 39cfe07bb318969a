package io.holdfast.cli.look;

import io.holdfast.cli.StoreOption;
import io.holdfast.spi.EngineInspector.LineView;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which locks of which store a command lists, for use as a picocli mixin. */
final class WantedLocks {

  @Mixin private StoreOption store = new StoreOption();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PATTERN",
      description = "The beginning of names, or a pattern with * and ?.")
  private String pattern = "";

  @Option(
      names = "--owner",
      paramLabel = "TEXT",
      description = "Only what somebody has or wants whose label has this in it: host, app, text.")
  private String owner = "";

  /** A place at the store, which the caller closes. */
  Desk open() {
    return Desk.open(store);
  }

  /** Asks for them; blocks for the answer. */
  List<LineView> at(Desk desk, int limit) {
    return desk.lines(NamePattern.of(pattern), line -> new LineFacts(line).isOf(owner), limit);
  }
}
