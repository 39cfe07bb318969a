package io.holdfast.ids;

import io.holdfast.World;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Takes turns among generators whose ids cannot meet, and passes over those that have none. One
 * that had none is left alone for a while, longer each time: to find that a database is away may
 * take as long as a connection takes to fail.
 */
final class SpreadIds implements LongIds {

  private static final long FIRST_REST_NANOS = 1_000_000_000L;
  private static final long LONGEST_REST_NANOS = 30_000_000_000L;

  /** How long one is left alone. */
  private record Rest(long since, long nanos) {}

  private static final class Part {
    final LongIds ids;
    final AtomicReference<@Nullable Rest> rest = new AtomicReference<>();

    Part(LongIds ids) {
      this.ids = ids;
    }

    /** Of those that come when a rest is over, one is let through. */
    boolean isDue(World world) {
      Rest now = rest.get();
      return now == null
          || (world.nanoTime() - now.since >= now.nanos
              && rest.compareAndSet(now, new Rest(world.nanoTime(), now.nanos)));
    }

    long next(World world) {
      Rest before = rest.get();
      try {
        long id = ids.next();
        if (before != null) {
          rest.set(null);
        }
        return id;
      } catch (IdsUnavailableException e) {
        long nanos =
            before == null ? FIRST_REST_NANOS : Math.min(LONGEST_REST_NANOS, 2 * before.nanos);
        rest.set(new Rest(world.nanoTime(), nanos));
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
      throw new IllegalArgumentException("at least one generator is needed");
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
      if (!asked[place] && (i >= parts.size() || part.isDue(world))) {
        asked[place] = true;
        try {
          return part.next(world);
        } catch (IdsUnavailableException e) {
          failure = added(failure, e);
        }
      }
    }
    throw new IdsUnavailableException("none of " + parts.size() + " generators has an id", failure);
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

  /** As well as the best of them. */
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
