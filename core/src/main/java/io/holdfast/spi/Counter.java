package io.holdfast.spi;

/**
 * Numbers that a store gives out in blocks: no number is given out twice, to whomever. The numbers
 * of a counter are 0 or more; a later block lies above every earlier one.
 *
 * <p>The rules, which are a chapter of the conformance kit:
 *
 * <ul>
 *   <li>To take is one atomic step of the store.
 *   <li>It is <em>not</em> idempotent, on purpose: a block whose answer was lost is wasted, and
 *       whoever asks again gets another one. So no doubt about an answer can repeat a number.
 *   <li>What was answered is remembered for as long as the store remembers anything. A store that
 *       may lose its last writes ({@link #forgets()}) still repeats nothing, if blocks are
 *       {@linkplain Ask#clocked() taken by its clock}.
 * </ul>
 *
 * <p>Any thread may call; calls block for I/O, up to the operation timeout, and take turns. Closing
 * the engine ends its counter.
 */
public interface Counter {

  /** The most numbers of one block. */
  long MOST = 1L << 40;

  /** The highest floor. */
  long HIGHEST_FLOOR = 1L << 61;

  /**
   * Takes the next block.
   *
   * @return the first of {@link Ask#count()} numbers in a row
   * @throws EngineException when there was no answer; perhaps a block was wasted, and it is safe to
   *     ask again, unless it is {@link EngineException.Refused}
   */
  long take(Ask ask) throws EngineException;

  /**
   * Gives back the end of a block that was taken and not used: if nobody has taken a block since,
   * the next one begins there. To be called once for an end, and not repeated after a failure: a
   * repetition that comes late could give back what somebody else has taken by then.
   *
   * <p>An empty end, from a number to itself, changes nothing: it answers whether the next number
   * is this one. That may be asked as often as one likes.
   *
   * @param from the first number that was not used
   * @param end the number after the last one of the block
   * @return whether it was given back
   */
  boolean giveBack(Resource name, long from, long end) throws EngineException;

  /** Whether the store may lose the last blocks that it gave out: in a failover, or in a crash. */
  boolean forgets();

  /**
   * What is asked for.
   *
   * @param name the counter's; counters have nothing to do with locks of the same name
   * @param count how many numbers, 1 to {@link #MOST}
   * @param floor the block does not begin below it, 0 to {@link #HIGHEST_FLOOR}
   * @param clocked whether the block does not begin below the store's own clock either, in
   *     microseconds since 1970. Up to a million numbers a second it stays there, and then no block
   *     repeats one that the store has forgotten, unless the clock went back as well
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
