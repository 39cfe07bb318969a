package io.holdfast.ids.internal;

import io.holdfast.World;
import io.holdfast.ids.IdBlock;
import io.holdfast.ids.IdFacts;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.Supply;
import io.holdfast.spi.support.RetryDelay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A generator that takes turns among generators with disjoint ids.
 *
 * <p>A generator that had no id is skipped for a while, longer each time: to notice that a database
 * is unreachable may take as long as a connection takes to fail.
 */
final class SpreadIds implements LongIds {

  /** Without jitter: after a pause, one caller tries the generator. */
  private static final RetryDelay SKIP =
      new RetryDelay(Duration.ofSeconds(1), Duration.ofSeconds(30), () -> 0);

  /** How long a generator is skipped, after so many failures in a row. */
  private record Pause(long since, long nanos, int failures) {}

  private static final class Part {
    final LongIds ids;
    final AtomicReference<@Nullable Pause> pause = new AtomicReference<>();

    Part(LongIds ids) {
      this.ids = ids;
    }

    /** Returns whether the generator may be tried; after a pause, only one caller may. */
    boolean claimTurn(World world) {
      Pause now = pause.get();
      return now == null
          || (world.nanoTime() - now.since >= now.nanos
              && pause.compareAndSet(now, new Pause(world.nanoTime(), now.nanos, now.failures)));
    }

    long next(World world) {
      Pause before = pause.get();
      try {
        long id = ids.next();
        if (before != null) {
          pause.set(null);
        }
        return id;
      } catch (IdsUnavailableException e) {
        int failures = before == null ? 1 : before.failures + 1;
        pause.set(new Pause(world.nanoTime(), SKIP.nanosAfter(failures), failures));
        throw e;
      }
    }
  }

  private final List<Part> parts;
  private final World world;
  private final AtomicInteger turn = new AtomicInteger();

  SpreadIds(List<LongIds> parts, World world) {
    this.parts = parts.stream().map(Part::new).toList();
    this.world = world;
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("at least one generator is required");
    }
  }

  @Override
  public long next() {
    int first = turn.getAndIncrement();
    boolean[] asked = new boolean[parts.size()];
    IdsUnavailableException failure = null;
    // In the second round those that are left alone: there is nobody else.
    for (int i = 0; i < 2 * parts.size(); i++) {
      int place = Math.floorMod(first + i, parts.size());
      Part part = parts.get(place);
      if (!asked[place] && (i >= parts.size() || part.claimTurn(world))) {
        asked[place] = true;
        try {
          return part.next(world);
        } catch (IdsUnavailableException e) {
          failure = added(failure, e);
        }
      }
    }
    throw new IdsUnavailableException(
        "none of the " + parts.size() + " generators has an id", failure);
  }

  private static IdsUnavailableException added(
      @Nullable IdsUnavailableException first, IdsUnavailableException more) {
    if (first == null) {
      return more;
    }
    first.addSuppressed(more);
    return first;
  }

  @Override
  public IdBlock block(int count) {
    throw new UnsupportedOperationException("ids of several generators do not follow each other");
  }

  @Override
  public IdFacts describe(long id) {
    return parts.get(0).ids.describe(id);
  }

  /** Returns the best state of all generators. */
  @Override
  public Supply supply() {
    Supply best = parts.get(0).ids.supply();
    for (Part part : parts) {
      Supply each = part.ids.supply();
      if (each.status().compareTo(best.status()) < 0) {
        best = each;
      }
    }
    return best;
  }

  @Override
  public void close() {
    parts.forEach(part -> part.ids.close());
  }
}
