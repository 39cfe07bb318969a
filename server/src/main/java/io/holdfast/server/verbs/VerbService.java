package io.holdfast.server.verbs;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.runtime.lane.Lane;
import io.holdfast.server.security.Access;
import io.holdfast.server.security.Access.Right;
import io.holdfast.server.verbs.RejectedVerbException.Cause;
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
  private final int generation;
  private final WaiterRegistry<Resource> holders;
  private final AtomicLong inProgress = new AtomicLong();
  private volatile boolean isStopping;

  /**
   * Opens lanes to the store.
   *
   * @param leaseFloor shorter leases are refused: clients that die cost everybody's waiting
   * @param generation of all tickets that do not state a higher one
   */
  public VerbService(
      LockEngine engine,
      HoldfastOptions options,
      Duration leaseFloor,
      int generation,
      Pauses pauses,
      World world) {
    this.engine = engine;
    this.pauses = pauses;
    this.fresh = FreshVerbs.over(engine, pauses);
    this.lane = Lane.shared(fresh, options, leaseFloor, world);
    this.leaseFloor = leaseFloor;
    this.generation = generation;
    this.holders = new WaiterRegistry<>(world::nanoTime);
    engine.reportChangesTo(holders::wake);
  }

  /** Returns the engine of the store, for inspectors and counters. */
  public LockEngine engine() {
    return engine;
  }

  /** Returns the shortest lease. */
  public Duration leaseFloor() {
    return leaseFloor;
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
   * @param epoch when the client's connection began, see {@link Pauses}
   * @param signals what the client is told later
   */
  public void submit(
      VerbMessage message, Access access, long epoch, Signals signals, Consumer<Reply> reply) {
    if (!pauses.isCurrent(epoch)) {
      reply.accept(new Reply.Failed(FreshVerbs.stale()));
      return;
    }
    if (isStopping) {
      reply.accept(new Reply.Failed(new EngineException.NotDone("this server is stopping", null)));
      return;
    }
    Ticket ticket;
    try {
      ticket = admit(message, access);
    } catch (RejectedVerbException e) {
      reply.accept(new Reply.Failed(e.toFailure()));
      return;
    }
    Sent sent = new Sent(ticket, signals, reply);
    Verb verb = verb(message, ticket, signals.wake(), sent);
    sent.verb = verb;
    inProgress.incrementAndGet();
    fresh.arrived(verb, epoch);
    lane.submit(verb);
  }

  /**
   * Checks a verb and returns the ticket for the store.
   *
   * @throws RejectedVerbException when the verb must not be sent
   */
  public Ticket admit(VerbMessage message, Access access) throws RejectedVerbException {
    Ticket ticket = message.ticket();
    if (!access.allows(Right.LOCK, ticket.resource())) {
      throw new RejectedVerbException(
          Cause.DENIED, ticket.resource() + ": this client may not lock this name");
    }
    boolean isShort = ticket.lease().compareTo(leaseFloor) < 0;
    if (message instanceof VerbMessage.Attempt && lane.isFull()) {
      throw new RejectedVerbException(
          Cause.OVERLOADED,
          ticket.resource() + ": too many attempts wait for " + engine.traits().store());
    }
    if (isShort
        && (message instanceof VerbMessage.Attempt || message instanceof VerbMessage.Renew)) {
      throw new RejectedVerbException(
          Cause.REFUSED,
          ticket.resource()
              + ": the lease of this service is at least "
              + DurationText.of(leaseFloor)
              + ": lease="
              + DurationText.of(ticket.lease()));
    }
    if (ticket.generation() > generation && !access.allows(Right.OPERATE, ticket.resource())) {
      throw new RejectedVerbException(
          Cause.DENIED,
          ticket.resource()
              + ": generation "
              + ticket.generation()
              + " is above the service's "
              + generation
              + ", which would lock out all others, and needs the right to operate");
    }
    return new Ticket(
        ticket.id(),
        ticket.resource(),
        ticket.shape(),
        ticket.weight(),
        isShort ? leaseFloor : ticket.lease(),
        Math.max(generation, ticket.generation()),
        ticket.waits(),
        ticket.owner(),
        ticket.fixed());
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

    private final Ticket ticket;
    private final Signals signals;
    private final Consumer<Reply> reply;
    private volatile @Nullable Verb verb;

    Sent(Ticket ticket, Signals signals, Consumer<Reply> reply) {
      this.ticket = ticket;
      this.signals = signals;
      this.reply = reply;
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
      noteHolder(result);
      reply.accept(result);
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
