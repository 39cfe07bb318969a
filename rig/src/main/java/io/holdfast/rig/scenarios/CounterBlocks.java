package io.holdfast.rig.scenarios;

import io.holdfast.rig.time.Await;
import io.holdfast.spi.Counter;
import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The blocks of numbers that clients took from one counter. May be used by several threads. */
public final class CounterBlocks {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Resource NAME = new Resource("default", "orders");

  private final long size;
  private final boolean clocked;
  private final List<Long> taken = Collections.synchronizedList(new ArrayList<>());

  private CounterBlocks(long size, boolean clocked) {
    this.size = size;
    this.clocked = clocked;
  }

  /** Blocks of this size, one after another. */
  public static CounterBlocks of(long size) {
    return new CounterBlocks(size, false);
  }

  /** Blocks of this size that follow the store's clock. */
  public static CounterBlocks clocked(long size) {
    return new CounterBlocks(size, true);
  }

  /** Takes a block; returns its first number. */
  public long take(Counter counter) throws EngineException {
    long first = counter.take(new Ask(NAME, size, 0, clocked));
    taken.add(first);
    return first;
  }

  /** Takes a block as soon as the store is reachable; returns its first number. */
  public long takeInSpite(Counter counter) {
    return Await.value("a block", LONG, () -> Optional.of(take(counter)));
  }

  /** Takes one after another until the store fails, in a way that is worth trying again. */
  void takeUntilItFails(Counter counter) {
    try {
      while (true) {
        take(counter);
      }
    } catch (EngineException e) {
      if (e instanceof EngineException.Refused) {
        throw new AssertionError("a store that failed must not refuse", e);
      }
    }
  }

  /** How many were taken. */
  public int count() {
    return taken.size();
  }

  /** How many numbers before this block were skipped; not for counters that follow a clock. */
  public long wasted(long last) {
    return last / size + 1 - count();
  }

  /** No number is in two of them. */
  public void requireApart() {
    List<Long> sorted = new ArrayList<>(taken);
    Collections.sort(sorted);
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i) < sorted.get(i - 1) + size) {
        throw new AssertionError(
            "two blocks of " + size + " begin at " + sorted.get(i - 1) + " and " + sorted.get(i));
      }
    }
  }

  /** All others are before this one. */
  void requireLast(long first) {
    long last = Collections.max(taken);
    if (last != first) {
      throw new AssertionError("the last block begins at " + first + ", another at " + last);
    }
  }
}
