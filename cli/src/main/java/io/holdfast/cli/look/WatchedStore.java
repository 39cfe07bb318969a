package io.holdfast.cli.look;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.spi.EngineInspector.LineView;
import java.util.List;
import java.util.function.Supplier;

/**
 * A store that is looked at again and again: its last answer, and whether it still answers. One
 * that never did is not watched, as its address is likely to be wrong.
 */
final class WatchedStore {

  private final Supplier<List<LineView>> question;
  private List<LineView> lines = List.of();
  private String why = "";
  private boolean heard;

  /** Nothing is known yet. */
  WatchedStore(Supplier<List<LineView>> question) {
    this.question = question;
  }

  /**
   * Asks; blocks for the answer.
   *
   * @throws CliException when the store refuses, or has never answered
   */
  void look() {
    try {
      lines = question.get();
      heard = true;
      why = "";
    } catch (CliException e) {
      if (!heard || e.exitCode() != ExitCode.STORE) {
        throw e;
      }
      why = String.valueOf(e.getMessage());
    }
  }

  /** What it said last. */
  List<LineView> lines() {
    return lines;
  }

  /** Whether it did not answer when it was asked last. */
  boolean isSilent() {
    return !why.isEmpty();
  }

  /** What went wrong then. */
  String why() {
    return why;
  }
}
