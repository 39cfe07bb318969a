package io.holdfast.ids;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;

/** One counter of a store, with what its ids have in common. Blocks for I/O. */
final class Numbers {

  /**
   * The most numbers of a block that follows the clock: a second of it. The store's clock is past a
   * block that it forgot only when as many microseconds have gone by.
   */
  static final long MOST_BY_CLOCK = 1_000_000;

  private final Counter counter;
  private final Resource resource;
  private final String store;
  private final long floor;
  private final boolean clocked;
  private final Runnable check;

  /**
   * Numbers of a counter.
   *
   * @param check comes before every block, and throws if none may be taken
   */
  Numbers(
      Counter counter,
      Resource resource,
      String store,
      long floor,
      boolean clocked,
      Runnable check) {
    this.counter = counter;
    this.resource = resource;
    this.store = store;
    this.floor = floor;
    this.clocked = clocked;
    this.check = check;
  }

  /** The most numbers of one block. */
  long most() {
    return clocked ? MOST_BY_CLOCK : Counter.MOST;
  }

  /** Refuses blocks that are too small or too large. */
  long require(long count) {
    if (count < 1 || count > most()) {
      throw new IllegalArgumentException(
          "count must be 1.."
              + most()
              + (clocked ? ", as these ids follow the store's clock" : "")
              + ": count="
              + count);
    }
    return count;
  }

  /** The first of so many numbers that nobody else has. */
  long take(long count) {
    check.run();
    try {
      return counter.take(new Counter.Ask(resource, count, floor, clocked));
    } catch (EngineException e) {
      throw new IdsUnavailableException("no ids " + this + ": " + e.getMessage(), e);
    }
  }

  /** Gives back the end of a block; answers whether it could be. */
  boolean giveBack(long from, long end) {
    try {
      // By the clock the next block begins later anyway.
      return !clocked && from < end && counter.giveBack(resource, from, end);
    } catch (EngineException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "for " + resource + " at " + store;
  }
}
