package io.holdfast.ids.internal;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Optional;

/**
 * The record in the store of how the ids of a name are generated.
 *
 * <p>The first generator of a name writes it; generators with another scheme are rejected.
 *
 * <p>The record consists of two counters, so every store with counters can keep it. The value of
 * each counter is its number times 256. Normally a generator only compares them, which changes
 * nothing. Reading a counter takes a number and gives it back; reading and writing happen under a
 * lock. A process that is killed in between leaves a counter that is a little ahead and still has
 * the same meaning; the next read corrects it.
 */
final class IdSchemeRecord {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int SPARE_BITS = 8;

  private final Holdfast holdfast;
  private final Counter counter;
  private final String name;
  private final IdScheme scheme;
  private final Resource code;
  private final Resource epoch;
  private volatile boolean agreed;

  IdSchemeRecord(Holdfast holdfast, Counter counter, String name, IdScheme scheme) {
    this.holdfast = holdfast;
    this.counter = counter;
    this.name = name;
    this.scheme = scheme;
    this.code = new Resource(holdfast.options().namespace(), "ids.plan/" + name);
    this.epoch = new Resource(holdfast.options().namespace(), "ids.epoch/" + name);
  }

  /**
   * Writes the scheme if the name has none, or checks that it has this scheme. Blocks for one or
   * two round trips, the first time for a few more; does not block after it has succeeded.
   *
   * @throws IllegalStateException if ids of this name are generated in another way; names both
   * @throws IdsUnavailableException if the store is unreachable
   */
  void require() {
    if (agreed) {
      return;
    }
    try {
      if (!isAt(code, number(scheme.code())) || !isAt(epoch, epochNumber())) {
        agree();
      }
      agreed = true;
    } catch (EngineException | HoldfastException e) {
      throw new IdsUnavailableException(
          "cannot read how ids are generated" + about() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IdsUnavailableException(
          "interrupted while reading how ids are generated" + about(), e);
    }
  }

  private boolean isAt(Resource resource, long number) throws EngineException {
    return counter.giveBack(resource, number, number);
  }

  private void agree() throws EngineException, InterruptedException {
    try (Hold hold = holdfast.lock(code.name()).acquire(PATIENCE)) {
      long known = read(code);
      if (known == 0) {
        hold.ensureHeld();
        // The code last: without it, there is no record.
        write(epoch, epochNumber());
        write(code, number(scheme.code()));
        return;
      }
      long zigzag = read(epoch) - 1;
      Optional<IdScheme> stored = IdScheme.of(known, zigzag >>> 1 ^ -(zigzag & 1));
      if (stored.isEmpty() || !stored.get().isSameAs(scheme)) {
        throw new IllegalStateException(
            "the ids"
                + about()
                + " are "
                + stored.map(IdScheme::toString).orElse("generated in a way of a newer version")
                + ", and were requested as "
                + scheme
                + ": use one scheme for a name, or another name");
      }
    }
  }

  private static long number(long value) {
    return value << SPARE_BITS;
  }

  /** Never 0 and never negative. */
  private long epochNumber() {
    long micros = scheme.epochMicros();
    return number((micros << 1 ^ micros >> 63) + 1);
  }

  /** Returns the number that the counter was set to, or 0. */
  private long read(Resource resource) throws EngineException {
    long next = counter.take(new Counter.Ask(resource, 1, 0, false));
    long value = next >> SPARE_BITS;
    boolean ignored = counter.giveBack(resource, number(value), next + 1);
    return value;
  }

  private void write(Resource resource, long number) throws EngineException {
    long next = counter.take(new Counter.Ask(resource, 1, 0, false)) + 1;
    if (next < number) {
      long ignored = counter.take(new Counter.Ask(resource, 1, number - 1, false));
    } else if (next > number) {
      boolean ignored = counter.giveBack(resource, number, next);
    }
  }

  private String about() {
    return " for \"" + name + "\" at " + holdfast.traits().store();
  }
}
