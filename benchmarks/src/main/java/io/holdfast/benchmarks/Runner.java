package io.holdfast.benchmarks;

import java.time.Duration;

/** A contender that is connected and can run rounds, one at a time. */
interface Runner extends AutoCloseable {

  /**
   * Runs one round.
   *
   * @param time how long callers begin anew; a runner may need longer to see something
   */
  Sample run(Duration time) throws Exception;

  /** Ends everything that it has started. */
  @Override
  void close() throws Exception;
}
