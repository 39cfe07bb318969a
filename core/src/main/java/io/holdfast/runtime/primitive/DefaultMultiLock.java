package io.holdfast.runtime.primitive;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.MultiHold;
import io.holdfast.MultiLock;
import io.holdfast.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Several mutexes, acquired in one global order. */
public final class DefaultMultiLock implements MultiLock {

  private final Holdfast holdfast;
  private final World world;
  private final List<String> names;

  private DefaultMultiLock(Holdfast holdfast, World world, List<String> names) {
    this.holdfast = holdfast;
    this.world = world;
    this.names = names;
  }

  public static DefaultMultiLock of(Holdfast holdfast, World world, Collection<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("names must not be empty");
    }
    List<String> sorted = new ArrayList<>(new LinkedHashSet<>(names));
    sorted.forEach(holdfast::lock);
    sorted.sort((a, b) -> Arrays.compareUnsigned(bytes(a), bytes(b)));
    return new DefaultMultiLock(holdfast, world, List.copyOf(sorted));
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public MultiHold acquire(Duration wait) throws InterruptedException {
    DefaultLock.nanos(wait);
    List<Hold> taken = new ArrayList<>(names.size());
    try {
      long start = world.nanoTime();
      for (String name : names) {
        taken.add(holdfast.lock(name).acquire(left(wait, start)));
      }
      return new DefaultMultiHold(taken);
    } finally {
      giveBackUnlessComplete(taken);
    }
  }

  @Override
  public Optional<MultiHold> tryAcquire(Duration wait) throws InterruptedException {
    DefaultLock.nanos(wait);
    List<Hold> taken = new ArrayList<>(names.size());
    try {
      long start = world.nanoTime();
      for (String name : names) {
        Optional<Hold> hold = holdfast.lock(name).tryAcquire(left(wait, start));
        if (hold.isEmpty()) {
          return Optional.empty();
        }
        taken.add(hold.get());
      }
      return Optional.of(new DefaultMultiHold(taken));
    } finally {
      giveBackUnlessComplete(taken);
    }
  }

  private Duration left(Duration wait, long start) {
    Duration left = wait.minusNanos(world.nanoTime() - start);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private void giveBackUnlessComplete(List<Hold> taken) {
    if (taken.size() < names.size()) {
      for (int i = taken.size() - 1; i >= 0; i--) {
        taken.get(i).release();
      }
    }
  }
}
