package io.holdfast.server.verbs;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.runtime.lane.Lane;
import io.holdfast.server.audit.VerbAudit;
import io.holdfast.server.security.Call;
import io.holdfast.server.security.Caller;
import io.holdfast.server.security.Permit;
import io.holdfast.server.security.Principal;
import io.holdfast.server.security.Refusal;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import io.holdfast.spi.support.DurationText;
import io.holdfast.spi.support.WaiterRegistry;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes verbs of all clients on to the store, each with its client's own ticket.
 *
 * <p>It keeps no ticket and repeats nothing. So any server of a service can take any verb, and one
 * that dies takes nothing with it but the replies that it owed.
 */
public final class VerbService {

  /**
   * What a client is told after the reply to a verb, if its connection lasts.
   *
   * @param wake for an attempt that waits
   * @param changed runs when the record of a granted ticket has changed
   */
  public record Signals(Wake wake, Optional<Runnable> changed) {

    /** For clients that cannot be told anything. */
    public static final Signals NONE = new Signals(() -> {}, Optional.empty());
  }

  private final LockEngine engine;
  private final FreshVerbs fresh;
  private final Pauses pauses;
  private final Lane lane;
  private final Duration leaseFloor;
  private final Gate gate;
  private final WaiterRegistry<Resource> holders;
  private final AtomicLong inProgress = new AtomicLong();
  private volatile boolean isStopping;

  /**
   * Opens lanes to the store.
   *
   * @param leaseFloor shorter leases are refused: clients that die cost everybody's waiting
   * @param gate turns verbs away, and has the generation of tickets that do not state a higher one
   */
  public VerbService(
      LockEngine engine,
      HoldfastOptions options,
      Duration leaseFloor,
      Gate gate,
      Pauses pauses,
      World world) {
    this.engine = engine;
    this.pauses = pauses;
    this.fresh = FreshVerbs.over(engine, pauses);
    this.lane = Lane.shared(fresh, options, leaseFloor, world);
    this.leaseFloor = leaseFloor;
    this.gate = gate;
    this.holders = new WaiterRegistry<>(world::nanoTime);
    engine.reportChangesTo(holders::wake);
  }

  /** Returns the engine of the store, for inspectors and counters. */
  public LockEngine engine() {
    return engine;
  }

  /** Returns what turns calls away. */
  public Gate gate() {
    return gate;
  }

  /** Returns how this process notices that it stood still. */
  public Pauses pauses() {
    return pauses;
  }

  /** Returns how many verbs are on their way. */
  public long inProgress() {
    return inProgress.get();
  }

  /** From now on new verbs are not executed; those that are on their way are. */
  public void stop() {
    isStopping = true;
  }

  /** Closes the lanes; the engine stays open. */
  public void close() {
    lane.close();
  }

  /**
   * Sends a verb and passes its reply on, exactly once.
   *
   * @param call what the client asked for, which is the verb or is made of it
   * @param epoch when the client's connection began, see {@link Pauses}
   * @param signals what the client is told later
   * @throws RejectedException when the verb must not be sent; then there is no reply
   */
  public void submit(
      VerbMessage message,
      Call call,
      Caller caller,
      long epoch,
      Signals signals,
      Consumer<Reply> reply)
      throws RejectedException {
    if (!pauses.isCurrent(epoch)) {
      reply.accept(new Reply.Failed(FreshVerbs.stale()));
      return;
    }
    // A ticket whose request ends without a reply is still left.
    if (isStopping && !(message instanceof VerbMessage.Leave)) {
      reply.accept(new Reply.Failed(new EngineException.NotDone("this server is stopping", null)));
      return;
    }
    Principal principal = gate.checkVerb(caller, call, message.ticket());
    boolean isAttempt = message instanceof VerbMessage.Attempt;
    Ticket ticket =
        ticketFor(principal, message.ticket(), isAttempt || message instanceof VerbMessage.Renew);
    Permit room = room(caller, principal, call, ticket, isAttempt);
    Sent sent = new Sent(principal, ticket, room, signals, reply);
    Verb verb = verb(message, ticket, sent.wake(), sent);
    sent.verb = verb;
    inProgress.incrementAndGet();
    fresh.arrived(verb, epoch);
    lane.submit(verb);
  }

  /** Returns what a client asks for with a verb of its own. */
  public static Call callOf(VerbMessage message) {
    if (message instanceof VerbMessage.Attempt) {
      return Call.ATTEMPT;
    } else if (message instanceof VerbMessage.Renew) {
      return Call.RENEW;
    } else if (message instanceof VerbMessage.Leave) {
      return Call.LEAVE;
    }
    return message instanceof VerbMessage.Settle ? Call.SETTLE : Call.RESIZE;
  }

  /** Returns the ticket for the store. */
  private Ticket ticketFor(Principal principal, Ticket ticket, boolean needsLease)
      throws RejectedException {
    boolean isShort = ticket.lease().compareTo(leaseFloor) < 0;
    if (isShort && needsLease) {
      throw new RejectedException(
          Refusal.notPossible(
              ticket.resource()
                  + ": the lease of this service is at least "
                  + DurationText.of(leaseFloor)
                  + ": lease="
                  + DurationText.of(ticket.lease())));
    }
    if (ticket.lease().compareTo(HoldfastOptions.LEASE_CEILING) > 0) {
      throw new RejectedException(
          Refusal.notPossible(
              ticket.resource()
                  + ": a lease is at most "
                  + DurationText.of(HoldfastOptions.LEASE_CEILING)
                  + ": lease="
                  + DurationText.of(ticket.lease())));
    }
    return new Ticket(
        ticket.id(),
        ticket.resource(),
        ticket.shape(),
        ticket.weight(),
        isShort ? leaseFloor : ticket.lease(),
        Math.max(gate.generation(), ticket.generation()),
        ticket.waits(),
        principal.sign(ticket.owner()),
        ticket.fixed());
  }

  private Permit room(
      Caller caller, Principal principal, Call call, Ticket ticket, boolean isAttempt)
      throws RejectedException {
    Permit room = gate.room(caller, principal, call, Optional.of(ticket.resource()));
    try {
      if (isAttempt) {
        if (lane.isFull()) {
          throw new RejectedException(
              Refusal.overloaded(
                  ticket.resource() + ": too many attempts wait for " + engine.traits().store()));
        }
        gate.waits(caller, principal, ticket);
      }
      return room;
    } catch (RejectedException e) {
      room.close();
      throw e;
    }
  }

  private static Verb verb(VerbMessage message, Ticket ticket, Wake wake, Sent sent) {
    if (message instanceof VerbMessage.Attempt) {
      return new Verb.Attempt(ticket, wake, sent.<Standing>replyWith(Reply.OfAttempt::new));
    } else if (message instanceof VerbMessage.Renew) {
      return new Verb.Renew(ticket, sent.<Renewal>replyWith(Reply.OfRenew::new));
    } else if (message instanceof VerbMessage.Leave leave) {
      return new Verb.Leave(ticket, leave.inDoubt(), sent.<Left>replyWith(Reply.OfLeave::new));
    } else if (message instanceof VerbMessage.Settle settle) {
      return new Verb.Settle(ticket, settle.keep(), sent.<Boolean>replyWith(Reply.OfChange::new));
    }
    return new Verb.Resize(ticket, sent.<Boolean>replyWith(Reply.OfChange::new));
  }

  /** A verb on its way, and where its reply goes. */
  private final class Sent {

    private final Principal principal;
    private final Ticket ticket;
    private final Permit room;
    private final Signals signals;
    private final Consumer<Reply> reply;
    private volatile @Nullable Verb verb;

    Sent(Principal principal, Ticket ticket, Permit room, Signals signals, Consumer<Reply> reply) {
      this.principal = principal;
      this.ticket = ticket;
      this.room = room;
      this.signals = signals;
      this.reply = reply;
    }

    /** The client's wake; a grant that comes with it has no other reply. */
    Wake wake() {
      return new Wake() {
        @Override
        public void wake() {
          signals.wake().wake();
        }

        @Override
        public void granted(Standing.Granted granted) {
          noteStanding(granted);
          signals.wake().granted(granted);
        }
      };
    }

    <T> Verb.Answer<T> replyWith(Function<T, Reply> form) {
      return new Verb.Answer<>() {
        @Override
        public void answered(T answer) {
          end(form.apply(answer));
        }

        @Override
        public void failed(EngineException failure) {
          end(new Reply.Failed(failure));
        }
      };
    }

    private void end(Reply result) {
      fresh.ended(verb);
      inProgress.decrementAndGet();
      room.close();
      noteHolder(result);
      note(result);
      reply.accept(result);
    }

    private void note(Reply result) {
      Optional<VerbAudit> audit = gate.audit();
      if (result instanceof Reply.OfAttempt of) {
        noteStanding(of.standing());
      } else if (result instanceof Reply.OfRenew of) {
        audit.ifPresent(each -> each.renewed(principal, ticket, of.renewal()));
      } else if (result instanceof Reply.OfLeave of) {
        gate.waitsNoMore(principal, ticket);
        audit.ifPresent(each -> each.left(principal, ticket, of.left()));
      } else if (result instanceof Reply.OfChange of && verb instanceof Verb.Settle settle) {
        audit.ifPresent(each -> each.settled(principal, ticket, of.isDone(), settle.keep()));
      } else if (result instanceof Reply.Failed of) {
        if (of.failure() instanceof EngineException.Refused) {
          gate.waitsNoMore(principal, ticket);
        }
        audit.ifPresent(each -> each.failed(principal, ticket, of.failure()));
      }
    }

    private void noteStanding(Standing standing) {
      if (!(standing instanceof Standing.Waiting)) {
        gate.waitsNoMore(principal, ticket);
      }
      gate.audit().ifPresent(each -> each.attempted(principal, ticket, standing));
    }

    /** Remembers whom to tell that a held resource has changed: a hint, for one lease. */
    private void noteHolder(Reply result) {
      boolean holds =
          (result instanceof Reply.OfAttempt of && of.standing() instanceof Standing.Granted)
              || (result instanceof Reply.OfRenew renewed
                  && renewed.renewal() instanceof Renewal.Renewed);
      if (holds) {
        signals
            .changed()
            .ifPresent(changed -> holders.arm(ticket.resource(), ticket, changed::run));
      } else if (result instanceof Reply.OfLeave || result instanceof Reply.OfRenew) {
        holders.remove(ticket.id());
      }
    }
  }
}
