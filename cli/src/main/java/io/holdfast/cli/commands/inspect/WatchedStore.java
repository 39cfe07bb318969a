package io.holdfast.cli.commands.inspect;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.spi.EngineInspector.LineView;
import java.util.List;
import java.util.function.Supplier;

/**
 * Polls a store and keeps the last reply, and whether the store still replies. A store that has
 * never replied is an error, as its address is likely to be wrong.
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
   * Reads the lines; blocks until the store replies.
   *
   * @throws CliException when the store refuses, or has never replied
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

  /** The lines of the last reply. */
  List<LineView> lines() {
    return lines;
  }

  /** Whether the last read failed. */
  boolean isSilent() {
    return !why.isEmpty();
  }

  /** What went wrong then. */
  String why() {
    return why;
  }
}
