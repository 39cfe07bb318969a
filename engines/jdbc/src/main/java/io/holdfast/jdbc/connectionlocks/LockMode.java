package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import io.holdfast.spi.support.Admission;
import io.holdfast.spi.support.BackgroundLoop;
import io.holdfast.spi.support.DepartedTickets;
import io.holdfast.spi.support.WaiterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the modes session and row share: this client's tickets and the rules for them.
 *
 * <p>A mode adds where locks live and the statements that take and release them. Thread-safe.
 */
abstract sealed class LockMode implements AutoCloseable permits SessionMode, RowMode {

  /** Waiters poll: no signal reaches them. */
  private static final Duration POLL = Duration.ofMillis(500);

  /** A client that lost a lock learns of it for so many leases. */
  private static final int REMEMBERED_LEASES = 4;

  private static final int BEATS_A_LEASE = 6;

  private static final Wake NO_WAKE = () -> {};

  final JdbcStore store;
  final ModeTables tables;
  final EngineTraits traits;
  final Duration lease;
  final Admission admission;

  /** Tickets that left while an attempt of theirs may still be under way. */
  final DepartedTickets departed;

  /** Tickets whose lock ended with its connection. */
  final DepartedTickets lost;

  /** This client's waiting tickets, by resource. No signal reaches them. */
  final WaiterRegistry<Resource> waiting;

  /** How many sessions, or locked rows, ended with their connection. */
  final LongAdder ended = new LongAdder();

  volatile boolean closed;

  /**
   * Creates a mode without connections yet.
   *
   * @param traits with the lease of the client as the session's
   */
  LockMode(JdbcStore store, ModeTables tables, EngineTraits traits) {
    this.store = store;
    this.tables = tables;
    this.traits = traits;
    this.lease = traits.sessionLease().orElseThrow();
    this.admission = Admission.of(traits).explainedBy(shape -> whyNot());
    this.departed = new DepartedTickets(store.nanoTime(), lease.toNanos());
    this.lost = new DepartedTickets(store.nanoTime(), REMEMBERED_LEASES * lease.toNanos());
    this.waiting = new WaiterRegistry<>(store.nanoTime());
  }

  /** Returns a lane of this mode; opens no connection yet. */
  abstract LockEngine lane();

  /** Returns the state of this mode, without I/O. */
  abstract EngineCondition condition();

  /** Returns why this mode has mutexes in order ANY and nothing else, as a clause after a colon. */
  abstract String whyNot();

  /** Ends the connections, and with them everything that is held. */
  @Override
  public abstract void close();

  final Refusals refusals() {
    return admission.refusals();
  }

  /**
   * Refuses verbs of a closed client or lane.
   *
   * @throws EngineException when either is closed
   */
  final void requireOpen(boolean laneClosed) throws EngineException {
    if (closed) {
      throw refusals().closed();
    }
    if (laneClosed) {
      throw new EngineException.NotDone("the lane is closed", null);
    }
  }

  /**
   * Refuses late attempts: a ticket that left stays out (rule 8).
   *
   * @throws EngineException.Refused when the ticket has left
   */
  final void requireNotDeparted(Ticket ticket) throws EngineException.Refused {
    if (departed.contains(ticket.id())) {
      throw refusals().left(ticket);
    }
  }

  /**
   * Refuses clients of a lower generation than the store has seen.
   *
   * @throws EngineException.Refused when the ticket's generation is lower
   */
  final void requireGeneration(Ticket ticket, int known) throws EngineException.Refused {
    if (known > ticket.generation()) {
      throw refusals().generation(ticket, known);
    }
  }

  /** Notes that the ticket waits, if it does, and returns where it stands. */
  final Standing waitBehind(Ticket ticket, Optional<Standing.Holder> holder) {
    if (ticket.waits()) {
      waiting.arm(ticket.resource(), ticket, NO_WAKE);
    }
    return new Standing.Waiting(0, POLL, holder);
  }

  /** Returns another ticket of this client, as the holder that waiters see. */
  final Standing.Holder holder(Ticket ticket, long token) {
    return new Standing.Holder(ticket.owner(), token, lease);
  }

  /** Notes that the ticket goes, before its lock is looked for. */
  final void noteLeave(Verb.Leave leave) {
    if (leave.inDoubt()) {
      departed.add(leave.ticket().id());
    }
    boolean ignored = waiting.remove(leave.ticket().id());
  }

  /** Returns the reply to the renewal of a ticket whose lock ended with its connection. */
  static Renewal sessionOver() {
    return new Renewal.Gone(Renewal.Cause.SESSION_OVER, "");
  }

  /** Returns the reply to the renewal of a ticket that holds nothing here. */
  static Renewal unknownTicket() {
    return new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "");
  }

  /** Returns the failure of a release that was sent and got no reply. */
  final EngineException unknownRelease(Exception cause) {
    return new EngineException.Unknown(
        "no reply from " + store.errors().address() + ": " + cause.getMessage(), cause);
  }

  /**
   * Returns a loop that keeps silent connections alive: the server ends what is silent for a lease.
   *
   * @param beat run six times a lease; must not throw
   */
  final BackgroundLoop heartbeat(String name, Runnable beat) {
    long every = lease.toNanos() / BEATS_A_LEASE;
    return new BackgroundLoop(
        name,
        Thread::new,
        () -> {
          beat.run();
          return every;
        });
  }
}
