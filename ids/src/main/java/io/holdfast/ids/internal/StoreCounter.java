package io.holdfast.ids.internal;

import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;

/** A counter in the store that gives out ids of one name. Blocks for I/O. */
final class StoreCounter {

  /**
   * The largest block that follows the clock: one second of it. The store's clock is past a lost
   * block only when as many microseconds have passed.
   */
  static final long MOST_BY_CLOCK = 1_000_000;

  private final Counter counter;
  private final Resource resource;
  private final String store;
  private final long floor;
  private final boolean clocked;
  private final Runnable check;

  /**
   * Creates a counter.
   *
   * @param check runs before every block, and throws if none may be taken
   */
  StoreCounter(
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

  /** Returns the size of the largest block. */
  long most() {
    return clocked ? MOST_BY_CLOCK : Counter.MOST;
  }

  /** Checks the size of a block. */
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

  /** Takes a block and returns its first number. */
  long take(long count) {
    check.run();
    try {
      return counter.take(new Counter.Ask(resource, count, floor, clocked));
    } catch (EngineException e) {
      throw new IdsUnavailableException("no ids " + this + ": " + e.getMessage(), e);
    }
  }

  /** Gives back the end of a block; returns whether the store accepted it. */
  boolean giveBack(long from, long end) {
    try {
      // A block that follows the clock begins later anyway.
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
