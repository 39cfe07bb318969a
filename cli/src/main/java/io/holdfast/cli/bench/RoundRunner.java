package io.holdfast.cli.bench;

import java.time.Duration;

/** A connected contender that can run rounds, one at a time. */
public interface RoundRunner extends AutoCloseable {

  /**
   * Runs one round.
   *
   * @param time how long callers start new operations; a runner may need longer to see a result
   */
  Sample run(Duration time) throws Exception;

  /** Ends everything that it has started. */
  @Override
  void close() throws Exception;
}
