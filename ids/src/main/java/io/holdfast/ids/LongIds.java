package io.holdfast.ids;

/**
 * A generator of ids that are positive numbers.
 *
 * <p>Thread-safe. The method of {@link Ids} that creates a generator documents whether {@link
 * #next()} blocks.
 */
public interface LongIds extends AutoCloseable {

  /**
   * Returns the next id: unique, and larger than all earlier ids of this generator.
   *
   * @throws IdsUnavailableException if none is available now: the store is unreachable and the
   *     fetched ids are used up, the worker number is lost, or the generator is closed. It is safe
   *     to try again
   * @throws ClockRegressionException if the clock went back too far, or stands still
   */
  long next();

  /**
   * Returns several consecutive ids.
   *
   * @param count 1 or more; the generator may have a limit
   * @throws UnsupportedOperationException if ids of this generator are not consecutive
   * @throws IllegalArgumentException if the count exceeds the limit of the generator
   */
  IdBlock block(int count);

  /**
   * Returns the parts of an id of this generator. No I/O.
   *
   * @throws IllegalArgumentException if this generator cannot have made the id
   */
  IdFacts describe(long id);

  /** Returns the state of the generator and how long ids last without the store. No I/O. */
  Supply supply();

  /**
   * Closes the generator and returns what it has reserved, if the store is reachable. Does not
   * close the {@code Holdfast} that it uses. Idempotent.
   */
  @Override
  void close();
}
