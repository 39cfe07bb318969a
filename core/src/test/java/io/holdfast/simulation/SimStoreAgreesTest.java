package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulated store returns what the reference engine returns. */
class SimStoreAgreesTest {

  private static final int STORIES = 1_500;
  private static final int STEPS = 40;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Resource NAME = new Resource("default", "story");

  @ParameterizedTest
  @EnumSource
  void model_and_engine_return_the_same_results(SimPlan.Target target) {
    Long one = Long.getLong("seed");
    for (long seed = one == null ? 0 : one; seed < (one == null ? STORIES : one + 1); seed++) {
      new Story(seed, target).play();
    }
  }

  /** One random sequence of verbs, sent to both. */
  private static final class Story {
    private final long seed;
    private final SimPlan.Target target;
    private final SimEvents events;
    private final SimStore model;
    private final LockEngine engine;
    private final List<Ticket> tickets = new ArrayList<>();
    private final List<String> reported = new ArrayList<>();

    Story(long seed, SimPlan.Target target) {
      this.seed = seed;
      this.target = target;
      this.events = new SimEvents(seed);
      SimPlan plan = new SimPlan(SimBug.NONE, target, LEASE, 2, 2, true, false, false, false);
      this.model = new SimStore(events, plan);
      this.engine = MemoryEngine.create(model::now, () -> model.now() / 1000);
      for (int i = 0; i < 5; i++) {
        tickets.add(ticket(i));
      }
    }

    private Ticket ticket(int number) {
      Shape shape =
          switch (target) {
            case MUTEX_ANY -> Shape.mutex(io.holdfast.spi.Order.ANY);
            case MUTEX_FIFO -> Shape.mutex(io.holdfast.spi.Order.FIFO);
            case SEMAPHORE -> Shape.semaphore(Simulation.PERMITS);
            case READ_WRITE -> Shape.readWrite();
          };
      int weight =
          switch (target) {
            case MUTEX_ANY, MUTEX_FIFO -> 1;
            case SEMAPHORE -> 1 + events.random.nextInt(Simulation.PERMITS);
            case READ_WRITE -> events.random.nextBoolean() ? 1 : Shape.READ_WRITE_CAPACITY;
          };
      return new Ticket(
          new Ticket.Id(7, number, number),
          NAME,
          shape,
          weight,
          LEASE,
          0,
          events.random.nextInt(4) > 0,
          new Owner("", "host", 1, "thread", ""));
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        Ticket ticket = tickets.get(events.random.nextInt(tickets.size()));
        String what;
        String expected;
        String actual;
        switch (events.random.nextInt(7)) {
          case 0, 1, 2 -> {
            what = "attempt " + ticket.id();
            expected = answer(() -> standing(model.attempt(ticket, () -> {})));
            actual = answer(() -> standing(engine.attempt(ticket, () -> {})));
          }
          case 3 -> {
            what = "renew " + ticket.id();
            expected = answer(() -> renewal(model.renew(ticket)));
            actual = answer(() -> renewal(engine.renew(ticket)));
          }
          case 4 -> {
            boolean doubt = events.random.nextInt(4) == 0;
            what = "leave " + ticket.id() + " " + doubt;
            expected = answer(() -> model.leave(ticket, doubt).name());
            actual = answer(() -> engine.leave(ticket, doubt).name());
          }
          default -> {
            // In order ANY what matters is whether a turn is kept, which is a matter of 5 ms.
            boolean shortly = target == SimPlan.Target.MUTEX_ANY && events.random.nextBoolean();
            long most = shortly ? 30 * SimEvents.MILLI : LEASE.toNanos();
            long time =
                events.random.nextInt(12) == 0 ? 3 * SimEvents.SECOND : events.between(0, most);
            what = "time " + time;
            events.runUntil(events.now() + time, () -> {});
            expected = "";
            actual = "";
          }
        }
        reported.add(what + " -> " + expected);
        assertThat(actual).as("-Dseed=%d %s %s", seed, target, reported).isEqualTo(expected);
      }
    }

    private interface Verb {
      String run() throws EngineException;
    }

    private static String answer(Verb verb) {
      try {
        return verb.run();
      } catch (EngineException e) {
        return e.getClass().getSimpleName();
      }
    }

    private static String standing(Standing standing) {
      return standing instanceof Standing.Granted granted
          ? "granted, wanted " + granted.wanted()
          : standing.getClass().getSimpleName();
    }

    private static String renewal(Renewal renewal) {
      return renewal instanceof Renewal.Renewed renewed
          ? "renewed, wanted " + renewed.wanted()
          : renewal.toString();
    }
  }
}
