package io.holdfast.ids;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Optional;

/**
 * What the store knows about how the ids of a name are made. The first generator of a name writes
 * it, and whoever makes ids in another way is refused.
 *
 * <p>It is kept in two counters, as any store that can count can keep it. Each stands at its number
 * times 256. Usually it is only asked whether they stand there, which changes nothing. To read what
 * else is there takes a number, which is given back; that, and writing, is done under a lock. Who
 * is killed in between leaves a counter that is a little ahead, and still says the same; the next
 * one that reads puts it right.
 */
final class PlanRecord {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int SPARE_BITS = 8;

  private final Holdfast holdfast;
  private final Counter counter;
  private final String name;
  private final IdPlan plan;
  private final Resource code;
  private final Resource epoch;
  private volatile boolean agreed;

  PlanRecord(Holdfast holdfast, Counter counter, String name, IdPlan plan) {
    this.holdfast = holdfast;
    this.counter = counter;
    this.name = name;
    this.plan = plan;
    this.code = new Resource(holdfast.options().namespace(), "ids.plan/" + name);
    this.epoch = new Resource(holdfast.options().namespace(), "ids.epoch/" + name);
  }

  /**
   * Sees to it that the store knows this plan and no other. Blocks for a trip or two, the first
   * time for a few more; once it is so, not at all.
   *
   * @throws IllegalStateException when ids of this name are made in another way; names both
   * @throws IdsUnavailableException when the store could not be asked
   */
  void require() {
    if (agreed) {
      return;
    }
    try {
      if (!stands(code, number(plan.code())) || !stands(epoch, epochNumber())) {
        settle();
      }
      agreed = true;
    } catch (EngineException | HoldfastException e) {
      throw new IdsUnavailableException(
          "the store could not be asked how ids are made" + about() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IdsUnavailableException("interrupted while asking how ids are made" + about(), e);
    }
  }

  private boolean stands(Resource resource, long number) throws EngineException {
    return counter.giveBack(resource, number, number);
  }

  private void settle() throws EngineException, InterruptedException {
    try (Hold hold = holdfast.lock(code.name()).acquire(PATIENCE)) {
      long known = read(code);
      if (known == 0) {
        hold.ensureHeld();
        // Last the code: as long as it is not there, nothing is.
        write(epoch, epochNumber());
        write(code, number(plan.code()));
        return;
      }
      long zigzag = read(epoch) - 1;
      Optional<IdPlan> stored = IdPlan.of(known, zigzag >>> 1 ^ -(zigzag & 1));
      if (stored.isEmpty() || !stored.get().isSameAs(plan)) {
        throw new IllegalStateException(
            "the ids"
                + about()
                + " are "
                + stored.map(IdPlan::toString).orElse("made as only a newer version knows")
                + ", and were asked for as "
                + plan
                + ": use one way for a name, or another name");
      }
    }
  }

  private static long number(long value) {
    return value << SPARE_BITS;
  }

  /** Never 0, and not negative. */
  private long epochNumber() {
    long micros = plan.epochMicros();
    return number((micros << 1 ^ micros >> 63) + 1);
  }

  /** The number that a counter was set to, or 0. */
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
