package io.holdfast.tck.faults;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
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
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Engines that fail under one fault, each as engines really do. */
final class BrokenEngines {

  private static final int POLL_MILLIS = 20;

  /** 200 of them take longer than the lease of F12. */
  private static final Duration TRIP = Duration.ofMillis(40);

  private static final long LATE_NANOS = 200_000_000;
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

  /** Has not written its last grant to disk when it is killed, and promises to have. */
  static BiFunction<LockEngine, Settings, LockEngine> forgetsItsLastGrant() {
    AtomicBoolean failed = new AtomicBoolean();
    AtomicReference<@Nullable Ticket> last = new AtomicReference<>();
    return onEveryLane(
        honest ->
            new ForwardingEngine(honest) {
              @Override
              public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
                Standing standing;
                try {
                  Ticket forgotten = last.get();
                  if (failed.get() && forgotten != null) {
                    super.leave(forgotten, false);
                    last.set(null);
                  }
                  standing = super.attempt(ticket, wake);
                } catch (EngineException e) {
                  failed.set(true);
                  throw e;
                }
                if (standing instanceof Standing.Granted && !failed.get()) {
                  last.set(ticket);
                }
                return standing;
              }

              @Override
              public EngineTraits traits() {
                EngineTraits t = super.traits();
                Set<Guarantee> promised = EnumSet.copyOf(t.guarantees());
                promised.add(Guarantee.EXCLUSION_SURVIVES_RESTART);
                return new EngineTraits(
                    t.store(),
                    t.kinds(),
                    t.orders(),
                    promised,
                    t.blocking(),
                    t.lanes(),
                    t.batch(),
                    t.reserve(),
                    t.sessionLease());
              }
            });
  }

  /** Never renews a hold again whose renewal had a late reply or none. */
  static BiFunction<LockEngine, Settings, LockEngine> givesUpRenewing(ManualTime time) {
    Set<Ticket.Id> givenUp = ConcurrentHashMap.newKeySet();
    return onEveryLane(
        honest ->
            new ForwardingEngine(honest) {
              @Override
              public Renewal renew(Ticket ticket) throws EngineException {
                if (givenUp.contains(ticket.id())) {
                  throw new EngineException.NotDone("given up", null);
                }
                long asked = time.nanoTime();
                Renewal renewal = super.renew(ticket);
                if (time.nanoTime() - asked > LATE_NANOS) {
                  givenUp.add(ticket.id());
                  throw new EngineException.Unknown("the reply was too late", null);
                }
                return renewal;
              }
            });
  }

  /** Takes a leave for the attempt of which nobody knows whether it arrived. */
  static LockEngine joinsWhenInDoubt(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        if (inDoubt && ticket.resource().name().startsWith("given-up")) {
          super.attempt(ticket.withLease(DAY), () -> {});
          return Left.NOTHING;
        }
        return super.leave(ticket, inDoubt);
      }
    };
  }

  /** Keeps the tickets of calls that were given up; these names only are used by such calls. */
  static LockEngine keepsWhatWasGivenUp(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        Left left = super.leave(ticket, inDoubt);
        String name = ticket.resource().name();
        if (name.startsWith("other") || name.startsWith("given-up")) {
          super.leave(ticket, false);
          super.attempt(ticket.withLease(DAY), () -> {});
        }
        return left;
      }
    };
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
