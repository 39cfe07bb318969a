package io.holdfast.cli.commands.inspect;

import io.holdfast.cli.store.StoreOption;
import io.holdfast.spi.EngineInspector.LineView;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select the locks of a store, as a picocli mixin. */
final class LockFilterOptions {

  @Mixin private StoreOption store = new StoreOption();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PATTERN",
      description = "A prefix of names, or a pattern with * and ?.")
  private String pattern = "";

  @Option(
      names = "--owner",
      paramLabel = "TEXT",
      description = "Only locks with a holder or waiter whose label contains this.")
  private String owner = "";

  /** A place at the store, which the caller closes. */
  OperatorSession open() {
    return OperatorSession.open(store);
  }

  /** Returns the matching lines; blocks until the store replies. */
  List<LineView> at(OperatorSession session, int limit) {
    return session.lines(
        NamePattern.of(pattern), line -> new LineDescription(line).isOf(owner), limit);
  }
}
