package io.holdfast.tck.conformance;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Engines that break a rule because of what they keep about all clients. */
final class PlantedLines {

  private PlantedLines() {}

  /** What all engines over one store share. */
  static final class Memory {
    final Map<Resource, Ticket> holders = new ConcurrentHashMap<>();
    final Map<Resource, Deque<Ticket>> waiters = new ConcurrentHashMap<>();
    final Map<Ticket.Id, Wake> wakes = new ConcurrentHashMap<>();
    final Map<Ticket.Id, Owner> owners = new ConcurrentHashMap<>();

    Deque<Ticket> waiting(Resource resource) {
      return waiters.computeIfAbsent(resource, r -> new ArrayDeque<>());
    }
  }

  static LockEngine anyoneCanRelease(LockEngine honest, Memory memory) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        Standing standing = super.attempt(ticket, wake);
        if (standing instanceof Standing.Granted) {
          memory.holders.put(ticket.resource(), ticket);
        }
        return standing;
      }

      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        Left left = super.leave(ticket, inDoubt);
        Ticket holder = memory.holders.get(ticket.resource());
        return left == Left.NOTHING && holder != null ? super.leave(holder, false) : left;
      }
    };
  }

  /** When a holder leaves, the waiters are turned round. */
  static LockEngine lastComeFirstServed(LockEngine honest, Memory memory) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        synchronized (memory) {
          Standing standing = super.attempt(ticket, wake);
          Deque<Ticket> waiting = memory.waiting(ticket.resource());
          waiting.removeIf(t -> t.id().equals(ticket.id()));
          if (standing instanceof Standing.Waiting && ticket.waits()) {
            waiting.push(ticket);
            memory.wakes.put(ticket.id(), wake);
          }
          return standing;
        }
      }

      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        synchronized (memory) {
          Left left = super.leave(ticket, inDoubt);
          Deque<Ticket> waiting = memory.waiting(ticket.resource());
          waiting.removeIf(t -> t.id().equals(ticket.id()));
          for (Ticket waiter : waiting) {
            super.leave(waiter, false);
          }
          for (Ticket waiter : waiting) {
            Wake wake = memory.wakes.getOrDefault(waiter.id(), () -> {});
            super.attempt(waiter, wake);
            wake.wake();
          }
          return left;
        }
      }
    };
  }

  /** Looks, and arms its own signal only then. */
  static LockEngine looksThenArms(LockEngine honest, Memory memory) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        memory.wakes.remove(ticket.id());
        Standing standing = super.attempt(ticket, () -> {});
        for (int i = 0; i < 20_000; i++) {
          Thread.onSpinWait();
        }
        if (standing instanceof Standing.Waiting) {
          memory.wakes.put(ticket.id(), wake);
        }
        return standing;
      }

      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        Left left = super.leave(ticket, inDoubt);
        memory.wakes.values().forEach(Wake::wake);
        return left;
      }
    };
  }

  /** Calls wakes while it keeps everybody else out. */
  static LockEngine wakesUnderItsLock(LockEngine honest, Memory memory) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        synchronized (memory) {
          return super.attempt(ticket, wake);
        }
      }

      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        synchronized (memory) {
          return super.leave(ticket, inDoubt);
        }
      }
    };
  }

  static LockEngine evictIgnoresTheToken(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Optional<EngineInspector> inspector() {
        return super.inspector().map(EvictsWhoeverIsIn::new);
      }
    };
  }

  private static final class EvictsWhoeverIsIn implements EngineInspector {
    private final EngineInspector honest;

    EvictsWhoeverIsIn(EngineInspector honest) {
      this.honest = honest;
    }

    @Override
    public List<LineView> list(String namespace, String prefix, String after, int limit)
        throws EngineException {
      return honest.list(namespace, prefix, after, limit);
    }

    @Override
    public Optional<LineView> show(Resource resource) throws EngineException {
      return honest.show(resource);
    }

    @Override
    public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
      return honest.revoke(resource, token, reason);
    }

    @Override
    public Verdict evict(Resource resource, long token, String reason) throws EngineException {
      long current = honest.show(resource).map(line -> line.tickets().get(0).token()).orElse(token);
      return honest.evict(resource, current, reason);
    }
  }

  /** Shows what makes a ticket somebody's. */
  static LockEngine secretsAreShown(LockEngine honest) {
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        Owner owner = ticket.owner();
        return super.attempt(
            new Ticket(
                ticket.id(),
                ticket.resource(),
                ticket.shape(),
                ticket.weight(),
                ticket.lease(),
                ticket.generation(),
                ticket.waits(),
                new Owner(owner.app(), owner.host(), 1, owner.thread(), ticket.id().encoded())),
            wake);
      }
    };
  }

  /** Serves mutexes without an order alone, and says so. */
  static LockEngine plainMutexesAlone(LockEngine honest, boolean refuses) {
    EngineTraits t = honest.traits();
    EngineTraits few =
        new EngineTraits(
            t.store(),
            Set.of(Shape.Kind.MUTEX),
            Set.of(Order.ANY),
            Set.of(Guarantee.FENCING),
            t.blocking(),
            t.lanes(),
            t.batch(),
            t.reserve(),
            t.sessionLease());
    return new ForwardingEngine(honest) {
      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        if (refuses && !few.serves(ticket.shape())) {
          throw new EngineException.Refused(few.store() + " has no " + ticket.shape());
        }
        return super.attempt(ticket, () -> {});
      }

      @Override
      public EngineTraits traits() {
        return few;
      }

      @Override
      public Optional<EngineInspector> inspector() {
        return Optional.empty();
      }
    };
  }
}
