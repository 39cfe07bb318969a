package io.holdfast.tck.conformance;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** Engines that break a rule by themselves, whatever other clients do. */
public final class PlantedVerbs {

  private PlantedVerbs() {}

  public static LockEngine renewalResurrects(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Renewal renew(Ticket ticket) throws EngineException {
        Renewal renewal = super.renew(ticket);
        boolean back =
            renewal instanceof Renewal.Gone
                && attempt(ticket, () -> {}) instanceof Standing.Granted;
        return back ? new Renewal.Renewed(ticket.lease(), false) : renewal;
      }
    };
  }

  /** The end of the lease is what the last renewal asked for, be it nearer. */
  public static LockEngine renewalShortens(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Renewal renew(Ticket ticket) throws EngineException {
        Renewal renewal = super.renew(ticket);
        if (renewal instanceof Renewal.Renewed renewed) {
          super.leave(ticket, false);
          super.attempt(ticket, () -> {});
          return new Renewal.Renewed(ticket.lease(), renewed.wanted());
        }
        return renewal;
      }
    };
  }

  public static LockEngine lateAttemptJoins(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        return super.leave(ticket, false);
      }
    };
  }

  public static LockEngine keepingFrees(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public boolean settle(Ticket ticket, Duration keep) throws EngineException {
        return ticket.shape().kind() == Shape.Kind.MUTEX
            ? super.leave(ticket, false) == Left.HOLDING
            : super.settle(ticket, keep);
      }
    };
  }

  public static LockEngine keptEndsWithItsLease(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public boolean settle(Ticket ticket, Duration keep) throws EngineException {
        return ticket.shape().kind() == Shape.Kind.MUTEX
            ? super.renew(ticket) instanceof Renewal.Renewed
            : super.settle(ticket, keep);
      }
    };
  }

  /** Keeps each shape in a structure of its own, so that they never meet. */
  public static LockEngine shapeNotChecked(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        return super.attempt(apart(ticket), wake);
      }

      @Override
      public Renewal renew(Ticket ticket) throws EngineException {
        return super.renew(apart(ticket));
      }

      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        return super.leave(apart(ticket), inDoubt);
      }

      private Ticket apart(Ticket ticket) {
        return named(ticket, ticket.resource().name() + ticket.shape());
      }
    };
  }

  public static LockEngine namesAreFolded(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        return super.attempt(folded(ticket), wake);
      }

      @Override
      public Renewal renew(Ticket ticket) throws EngineException {
        return super.renew(folded(ticket));
      }

      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        return super.leave(folded(ticket), inDoubt);
      }

      private Ticket folded(Ticket ticket) {
        return named(ticket, ticket.resource().name().toLowerCase(Locale.ROOT));
      }
    };
  }

  public static LockEngine repetitionMintsAnew(LockEngine honest) {
    AtomicLong minted = new AtomicLong();
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        Standing standing = super.attempt(ticket, wake);
        return standing instanceof Standing.Granted granted
            ? new Standing.Granted(
                granted.token() + minted.addAndGet(1L << 20), granted.validFor(), granted.wanted())
            : standing;
      }
    };
  }

  public static LockEngine tokensGoBack(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        Standing standing = super.attempt(ticket, wake);
        return standing instanceof Standing.Granted granted
            ? new Standing.Granted(
                Token.of(1, 0) - granted.token(), granted.validFor(), granted.wanted())
            : standing;
      }
    };
  }

  /** A waiter stays for a day; only a grant has the lease that was asked for. */
  public static LockEngine deadWaitersStay(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        Standing standing = super.attempt(ticket.withLease(Duration.ofDays(1)), wake);
        if (standing instanceof Standing.Granted granted) {
          super.renew(ticket);
          return new Standing.Granted(granted.token(), ticket.lease(), granted.wanted());
        }
        return standing;
      }
    };
  }

  public static LockEngine promisesMoreThanItKeeps(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        Standing standing = super.attempt(ticket.withLease(ticket.lease().dividedBy(2)), wake);
        return standing instanceof Standing.Granted granted
            ? new Standing.Granted(granted.token(), ticket.lease(), granted.wanted())
            : standing;
      }
    };
  }

  public static LockEngine leaseNeverEnds(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        Standing standing = super.attempt(ticket.withLease(Duration.ofDays(1)), wake);
        return standing instanceof Standing.Granted granted
            ? new Standing.Granted(granted.token(), ticket.lease(), granted.wanted())
            : standing;
      }
    };
  }

  public static LockEngine waitersCannotLeave(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        boolean holds = super.renew(ticket) instanceof Renewal.Renewed;
        return holds ? super.leave(ticket, inDoubt) : Left.WAITING;
      }
    };
  }

  /** Claims FIFO and grants any attempt while it is free. */
  public static LockEngine orderIsNotKept(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        boolean fifo = ticket.shape().equals(Shape.mutex(Order.FIFO));
        return super.attempt(fifo ? ticket.withShape(Shape.mutex(Order.ANY)) : ticket, wake);
      }
    };
  }

  public static LockEngine generationIsIgnored(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        return super.attempt(
            new Ticket(
                ticket.id(),
                ticket.resource(),
                ticket.shape(),
                ticket.weight(),
                ticket.lease(),
                0,
                ticket.waits(),
                ticket.owner()),
            wake);
      }
    };
  }

  public static LockEngine batchForgetsItsLast(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public void perform(List<Verb> batch) {
        int last = batch.size() - 1;
        batch.subList(0, Math.max(1, last)).forEach(verb -> verb.runOn(this));
      }
    };
  }

  /** Completes some verbs with the results of others. */
  public static LockEngine batchMixesUpAnswers(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public void perform(List<Verb> batch) {
        List<Verb> attempts = new ArrayList<>();
        batch.stream().filter(Verb.Attempt.class::isInstance).forEach(attempts::add);
        batch.stream().filter(v -> !attempts.contains(v)).forEach(verb -> verb.runOn(this));
        for (int i = 0; i < attempts.size(); i++) {
          Verb.Attempt other = (Verb.Attempt) attempts.get(attempts.size() - 1 - i);
          try {
            Verb.Attempt mine = (Verb.Attempt) attempts.get(i);
            other.complete(super.attempt(mine.ticket(), mine.wake()));
          } catch (EngineException e) {
            other.fail(e);
          }
        }
      }
    };
  }

  public static LockEngine oneBadItemFailsAll(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public void perform(List<Verb> batch) {
        for (Verb verb : batch) {
          try {
            if (verb instanceof Verb.Attempt attempt) {
              attempt.complete(super.attempt(attempt.ticket(), attempt.wake()));
            } else {
              verb.runOn(this);
            }
          } catch (EngineException e) {
            batch.forEach(other -> other.fail(e));
          }
        }
      }
    };
  }

  private static Ticket named(Ticket ticket, String name) {
    return new Ticket(
        ticket.id(),
        new Resource(ticket.resource().namespace(), name),
        ticket.shape(),
        ticket.weight(),
        ticket.lease(),
        ticket.generation(),
        ticket.waits(),
        ticket.owner());
  }
}
