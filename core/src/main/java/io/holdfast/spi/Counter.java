package io.holdfast.spi;

/**
 * Numbers that a store gives out in blocks; no number is given out twice.
 *
 * <p>The numbers of a counter are 0 or more; a later block lies above every earlier one.
 *
 * <p>The rules, which are a chapter of the conformance kit:
 *
 * <ul>
 *   <li>Taking a block is one atomic step of the store.
 *   <li>It is <em>not</em> idempotent, on purpose: a block whose reply was lost is wasted, and a
 *       retry gets another one. So no doubt about a reply can repeat a number.
 *   <li>A confirmed block is remembered for as long as the store keeps its data. A store that may
 *       lose its last writes ({@link #forgets()}) still repeats nothing, if blocks are {@linkplain
 *       Ask#clocked() taken by its clock}.
 * </ul>
 *
 * <p>Thread-safe. Calls block for I/O, up to the operation timeout, and take turns. Closing the
 * engine ends its counter.
 */
public interface Counter {

  /** The largest number of numbers in one block. */
  long MOST = 1L << 40;

  /** The highest floor. */
  long HIGHEST_FLOOR = 1L << 61;

  /**
   * Takes the next block.
   *
   * @return the first of {@link Ask#count()} consecutive numbers
   * @throws EngineException when there was no reply; a block may be wasted, and a retry is safe,
   *     unless it is {@link EngineException.Refused}
   */
  long take(Ask ask) throws EngineException;

  /**
   * Returns the unused end of a block: if no block was taken since, the next one begins there. Call
   * it once for an end, and do not repeat it after a failure: a late repetition could return
   * numbers that another caller has taken by then.
   *
   * <p>An empty end, from a number to itself, changes nothing: the result says whether the next
   * number is this one. That may be called any number of times.
   *
   * @param from the first number that was not used
   * @param end the number after the last one of the block
   * @return whether the end was returned to the store
   */
  boolean giveBack(Resource name, long from, long end) throws EngineException;

  /**
   * Returns whether the store may lose the last blocks that it gave out, in a failover or a crash.
   */
  boolean forgets();

  /**
   * A request for a block.
   *
   * @param name the counter's name; counters are independent of locks of the same name
   * @param count how many numbers, 1 to {@link #MOST}
   * @param floor the block does not begin below it, 0 to {@link #HIGHEST_FLOOR}
   * @param clocked whether the block does not begin below the store's own clock either, in
   *     microseconds since 1970. Up to a million numbers a second it stays there, and then no block
   *     repeats a number that the store has lost, unless the clock went back as well
   */
  record Ask(Resource name, long count, long floor, boolean clocked) {

    public Ask {
      if (count < 1 || count > MOST) {
        throw new IllegalArgumentException("count must be 1.." + MOST + ": count=" + count);
      }
      if (floor < 0 || floor > HIGHEST_FLOOR) {
        throw new IllegalArgumentException(
            "floor must be 0.." + HIGHEST_FLOOR + ": floor=" + floor);
      }
    }
  }
}
