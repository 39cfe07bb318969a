package io.holdfast.ids;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Takes turns among generators whose ids cannot meet, and passes over those that have none. */
final class SpreadIds implements LongIds {

  private final List<LongIds> parts;
  private final AtomicInteger turn = new AtomicInteger();

  SpreadIds(List<LongIds> parts) {
    this.parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("at least one generator is needed");
    }
  }

  @Override
  public long next() {
    int first = turn.getAndIncrement();
    IdsUnavailableException failure = null;
    for (int i = 0; i < parts.size(); i++) {
      try {
        return parts.get(Math.floorMod(first + i, parts.size())).next();
      } catch (IdsUnavailableException e) {
        failure = added(failure, e);
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
    return parts.get(0).describe(id);
  }

  /** As well as the best of them. */
  @Override
  public Supply supply() {
    Supply best = parts.get(0).supply();
    for (LongIds part : parts) {
      Supply each = part.supply();
      if (each.status().compareTo(best.status()) < 0) {
        best = each;
      }
    }
    return best;
  }

  @Override
  public void close() {
    parts.forEach(LongIds::close);
  }
}
