package io.holdfast.ids;

/**
 * Makes ids that are positive numbers. All methods may be called from any thread; whether {@link
 * #next()} may block is said where the generator is made, in {@link Ids}.
 */
public interface LongIds extends AutoCloseable {

  /**
   * The next id: one that nobody has, and larger than all that this generator made before.
   *
   * @throws IdsUnavailableException when there is none now: the store is away and what was fetched
   *     is used up, the worker number is lost, the generator is closed. It is safe to ask again
   * @throws ClockRegressionException when the clock went back too far, or stands still
   */
  long next();

  /**
   * Several ids in a row, all at once.
   *
   * @param count 1 or more; the generator may have a limit
   * @throws UnsupportedOperationException when ids of this generator do not follow each other
   * @throws IllegalArgumentException when it is more than the generator can give in a row
   */
  IdBlock block(int count);

  /**
   * What an id of this generator tells. No I/O.
   *
   * @throws IllegalArgumentException when this generator cannot have made it
   */
  IdFacts describe(long id);

  /** How things are and how long ids last without the store. No I/O. */
  Supply supply();

  /**
   * Ends it and gives back what it has reserved, if the store can be told. Does not end the {@code
   * Holdfast} that it uses. Idempotent.
   */
  @Override
  void close();
}
