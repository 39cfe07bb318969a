package io.holdfast.tck.faults;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.conformance.ForwardingEngine;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Engines that fail under one fault, each as engines really do. */
final class BrokenEngines {

  private static final int POLL_MILLIS = 20;

  /** 200 of them take longer than the lease of F12. */
  private static final Duration TRIP = Duration.ofMillis(40);

  private static final Duration DAY = Duration.ofDays(1);

  private BrokenEngines() {}

  /** Breaks an engine and each of its lanes in the same way. */
  static BiFunction<LockEngine, Settings, LockEngine> onEveryLane(UnaryOperator<LockEngine> plant) {
    return onEveryLane((engine, settings) -> plant.apply(engine));
  }

  static BiFunction<LockEngine, Settings, LockEngine> onEveryLane(
      BiFunction<LockEngine, Settings, LockEngine> plant) {
    return (engine, settings) ->
        new ForwardingEngine(plant.apply(engine, settings)) {
          @Override
          public LockEngine lane() throws EngineException {
            return plant.apply(engine.lane(), settings);
          }
        };
  }

  /** Believes that its session is alive, and so asks nobody. */
  static LockEngine renewsWithoutAsking(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Renewal renew(Ticket ticket) {
        return new Renewal.Renewed(ticket.lease(), false);
      }
    };
  }

  /** Keeps no line: the first attempt after a release is granted. */
  static LockEngine keepsNoLine(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        Standing standing = super.attempt(ticket, () -> {});
        if (standing instanceof Standing.Waiting waiting) {
          super.leave(ticket, false);
          Duration poll = Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, POLL_MILLIS));
          return new Standing.Waiting(waiting.ahead(), poll, waiting.holder());
        }
        return standing;
      }
    };
  }

  /** Counts tokens in the memory of a store that has restarted since. */
  static BiFunction<LockEngine, Settings, LockEngine> tokensRestart() {
    AtomicBoolean failed = new AtomicBoolean();
    return onEveryLane(
        honest ->
            new ForwardingEngine(honest) {
              @Override
              public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
                Standing standing;
                try {
                  standing = super.attempt(ticket, wake);
                } catch (EngineException e) {
                  failed.set(true);
                  throw e;
                }
                return failed.get() && standing instanceof Standing.Granted granted
                    ? new Standing.Granted(
                        granted.token() >> 10 << 9, granted.validFor(), granted.wanted())
                    : standing;
              }
            });
  }

  /** Repeats what it knows of a line until the store signals a change, which it never does. */
  static BiFunction<LockEngine, Settings, LockEngine> looksWhenSignalled() {
    Map<Ticket.Id, Standing> known = new ConcurrentHashMap<>();
    return onEveryLane(
        honest ->
            new ForwardingEngine(honest) {
              @Override
              public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
                Standing before = known.get(ticket.id());
                if (before != null) {
                  return before;
                }
                Standing standing = super.attempt(ticket, () -> {});
                if (standing instanceof Standing.Waiting) {
                  known.put(ticket.id(), standing);
                }
                return standing;
              }
            });
  }

  /** Writes down when a lease ends by the holder's clock, and reads it by the rival's. */
  static BiFunction<LockEngine, Settings, LockEngine> comparesClocks() {
    record Lease(Ticket ticket, long endMicros) {}
    Map<Resource, Lease> leases = new ConcurrentHashMap<>();
    return onEveryLane(
        (honest, settings) ->
            new ForwardingEngine(honest) {
              private Lease mine(Ticket ticket) {
                long micros = ticket.lease().toNanos() / 1_000;
                return new Lease(ticket, settings.epochMicros().getAsLong() + micros);
              }

              @Override
              public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
                Lease other = leases.get(ticket.resource());
                if (other != null && other.endMicros < settings.epochMicros().getAsLong()) {
                  super.leave(other.ticket, false);
                }
                Standing standing = super.attempt(ticket, wake);
                if (standing instanceof Standing.Granted) {
                  leases.put(ticket.resource(), mine(ticket));
                }
                return standing;
              }

              @Override
              public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
                leases.computeIfPresent(
                    ticket.resource(),
                    (resource, lease) -> lease.ticket.id().equals(ticket.id()) ? null : lease);
                return super.leave(ticket, inDoubt);
              }
            });
  }

  /** Keeps a second record of each name, and forgets it when the name is left. */
  static LockEngine leavesRecords(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        Resource other =
            new Resource(ticket.resource().namespace(), ticket.resource().name() + "/record");
        super.attempt(
            new Ticket(
                ticket.id(),
                other,
                ticket.shape(),
                ticket.weight(),
                DAY,
                ticket.generation(),
                false,
                ticket.owner()),
            wake());
        return super.leave(ticket, inDoubt);
      }

      private Wake wake() {
        return () -> {};
      }
    };
  }

  /** Renews one hold after another, each in a trip of its own. */
  static BiFunction<LockEngine, Settings, LockEngine> renewsOneByOne(ManualTime time) {
    ReentrantLock one = new ReentrantLock();
    return onEveryLane(
        honest ->
            new ForwardingEngine(honest) {
              @Override
              public Renewal renew(Ticket ticket) throws EngineException {
                one.lock();
                try {
                  pass(time, TRIP);
                  return super.renew(ticket);
                } finally {
                  one.unlock();
                }
              }
            });
  }

  /** Parking may end early. */
  private static void pass(ManualTime time, Duration duration) {
    long end = time.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - time.nanoTime()) {
      time.park(duration, left);
    }
  }

  /** Repeats a grant for as long as its lease lasts on a clock that stops with the host. */
  static BiFunction<LockEngine, Settings, LockEngine> repeatsGrants() {
    record Known(Standing standing, long at) {}
    Map<Ticket.Id, Known> known = new ConcurrentHashMap<>();
    return onEveryLane(
        (honest, settings) ->
            new ForwardingEngine(honest) {
              @Override
              public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
                long now = settings.nanoTime().getAsLong();
                Known before = known.get(ticket.id());
                if (before != null && now - before.at < ticket.lease().toNanos()) {
                  return before.standing;
                }
                Standing standing = super.attempt(ticket, wake);
                if (standing instanceof Standing.Granted) {
                  known.put(ticket.id(), new Known(standing, now));
                }
                return standing;
              }
            });
  }
}
