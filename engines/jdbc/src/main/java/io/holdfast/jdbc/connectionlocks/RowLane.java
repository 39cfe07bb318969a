package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.OtherSessionException;
import io.holdfast.jdbc.connection.PinnedConnection;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs the verbs of the mode row, each on a connection of its own. */
final class RowLane implements BatchEngine {

  private static final long SWEEP_NANOS = 60_000_000_000L;

  private final RowMode mode;
  private final SideConnection side;
  private volatile @Nullable PinnedConnection using;
  private volatile boolean closed;
  private long sweptAt;

  RowLane(RowMode mode, SideConnection side) {
    this.mode = mode;
    this.side = side;
    this.sweptAt = now();
  }

  private long now() {
    return mode.store.nanoTime().getAsLong();
  }

  @Override
  public EngineTraits traits() {
    return mode.traits;
  }

  @Override
  public void perform(List<Verb> batch) {
    List<Verb.Renew> renewals = new ArrayList<>();
    List<RowHold> holds = new ArrayList<>();
    List<Verb> others = new ArrayList<>();
    for (Verb verb : batch) {
      if (!verb.isComplete() && mode.admission.admit(verb)) {
        RowHold hold = mode.of(verb.ticket());
        if (verb instanceof Verb.Renew renewal && hold != null && !mode.closed) {
          renewals.add(renewal);
          holds.add(hold);
        } else {
          others.add(verb);
        }
      }
    }
    // First, and all at once: the other verbs wait only for their own connections.
    mode.probes().renew(renewals, holds);
    others.forEach(this::runAlone);
    sweepSometimes();
  }

  private void runAlone(Verb verb) {
    try {
      run(verb);
    } catch (EngineException e) {
      verb.fail(e);
    } finally {
      using = null;
    }
  }

  private void run(Verb verb) throws EngineException {
    mode.requireOpen(closed);
    if (verb instanceof Verb.Attempt attempt) {
      attempt.complete(attempt(attempt.ticket()));
    } else if (verb instanceof Verb.Renew renew) {
      renew.complete(renewNow(renew.ticket()));
    } else if (verb instanceof Verb.Leave leave) {
      leave.complete(leave(leave));
    }
  }

  private Standing attempt(Ticket ticket) throws EngineException {
    mode.requireNotDeparted(ticket);
    RowHold mine = mode.of(ticket);
    if (mine != null && renewNow(ticket) instanceof Renewal.Renewed renewed) {
      return new Standing.Granted(mine.token(), mode.lease, renewed.wanted());
    }
    RowHold other = mode.on(ticket.resource());
    if (other != null) {
      return waits(ticket, Optional.of(mode.holder(other.ticket(), other.token())));
    }
    Object ignored = side.open();
    return take(ticket);
  }

  private Standing waits(Ticket ticket, Optional<Standing.Holder> holder) throws EngineException {
    Standing standing = mode.waitBehind(ticket, holder);
    if (ticket.waits() && holder.isEmpty()) {
      Object ignored = side.ask(connection -> mode.rows().want(connection, ticket.resource()));
    }
    return standing;
  }

  private Standing take(Ticket ticket) throws EngineException {
    while (true) {
      RowConnections.Seat seat = mode.pool().take().orElseThrow(() -> mode.full(ticket));
      PinnedConnection pinned = seat.pinned();
      using = pinned;
      boolean held = false;
      try {
        Optional<RowSteps.Locked> locked = mode.rows().lock(pinned, ticket.resource());
        if (locked.isEmpty()) {
          return waits(ticket, Optional.empty());
        }
        RowHold hold = minted(ticket, pinned, locked.get());
        mode.add(hold);
        held = true;
        requireStay(hold);
        boolean wanted = locked.get().wanted() || mode.waiting.hasWaiters(ticket.resource());
        return new Standing.Granted(hold.token(), mode.lease, wanted);
      } catch (SQLException e) {
        if (seat.fresh() || !pinned.isBroken() || closed) {
          throw mode.store.errors().failure(e);
        }
        // The connection had died while it was idle: tries another.
      } finally {
        if (!held) {
          giveBack(pinned);
        }
      }
    }
  }

  private void giveBack(PinnedConnection pinned) {
    using = null;
    pinned.rollback();
    if (pinned.isBroken()) {
      mode.pool().drop(pinned);
    } else {
      mode.pool().giveBack(pinned);
    }
  }

  /**
   * Undoes the grant of a ticket that left meanwhile, or of a client that was closed. A leave notes
   * the ticket before it looks for the hold, and the hold is registered before this looks for the
   * note: one of them sees the other. The same applies to closing.
   *
   * @throws EngineException.Refused when it left, or the client is closed
   */
  private void requireStay(RowHold hold) throws EngineException.Refused {
    Ticket ticket = hold.ticket();
    if (!mode.departed.contains(ticket.id()) && !mode.closed) {
      return;
    }
    if (mode.remove(hold)) {
      hold.undo();
      mode.pool().giveBack(hold.pinned());
    }
    throw mode.closed ? mode.refusals().closed() : mode.refusals().left(ticket);
  }

  /** Mints a token. The row is locked, so no other client can mint a token for it now. */
  private RowHold minted(Ticket ticket, PinnedConnection pinned, RowSteps.Locked locked)
      throws EngineException {
    Resource resource = ticket.resource();
    mode.requireGeneration(ticket, locked.generation());
    if (locked.generation() < ticket.generation()) {
      Object ignored =
          side.ask(
              connection -> {
                mode.tables.raiseGeneration(connection, resource.namespace(), ticket.generation());
                return connection;
              });
    }
    long counter = side.ask(connection -> mode.tables.tokenCounter().take(connection, 1));
    if (mode.waiting.remove(ticket.id())) {
      Object ignored = side.ask(connection -> mode.rows().unwant(connection, resource));
    }
    long token = Token.of(ticket.generation(), counter);
    return new RowHold(ticket, pinned, token, locked.place(), mode.store.nanoTime());
  }

  private Renewal renewNow(Ticket ticket) throws EngineException {
    RowHold hold = mode.of(ticket);
    if (hold == null) {
      if (mode.lost.contains(ticket.id())) {
        return LockMode.sessionOver();
      }
      // Such a renewal checks whether the database responds.
      Object ignored = side.ask(connection -> mode.rows().ask(connection, ticket.resource()));
      return LockMode.unknownTicket();
    }
    using = hold.pinned();
    return mode.probes().renew(hold);
  }

  private Left leave(Verb.Leave leave) throws EngineException {
    Ticket ticket = leave.ticket();
    mode.noteLeave(leave);
    RowHold hold = mode.of(ticket);
    if (hold == null || !mode.remove(hold)) {
      mode.lost.remove(ticket.id());
      return Left.NOTHING;
    }
    if (hold.hangs(mode.probes().patienceNanos())) {
      // The next verbs of the lane must not wait for it as well.
      mode.pool().drop(hold.pinned());
      throw new EngineException.Unknown(
          "the connection of " + ticket.resource() + " does not reply, and was given up", null);
    }
    return end(hold);
  }

  private Left end(RowHold hold) throws EngineException {
    PinnedConnection pinned = hold.pinned();
    using = pinned;
    try {
      hold.end(connection -> mode.rows().deleteOwn(connection, hold));
      return Left.HOLDING;
    } catch (OtherSessionException e) {
      // Our session ended, and its lock with it.
      return Left.NOTHING;
    } catch (SQLException e) {
      pinned.rollback();
      if (!pinned.isBroken()) {
        // The lock is free as well; its row stays until a sweep.
        return Left.HOLDING;
      }
      throw mode.unknownRelease(e);
    } finally {
      giveBack(pinned);
    }
  }

  private void sweepSometimes() {
    if (now() - sweptAt < SWEEP_NANOS || closed) {
      return;
    }
    sweptAt = now();
    try {
      mode.rows().sweep(side.open());
    } catch (SQLException | EngineException e) {
      // The next sweep will do it: nothing depends on it.
      return;
    }
  }

  @Override
  public void close() {
    closed = true;
    side.close();
    PinnedConnection hanging = using;
    if (hanging != null) {
      hanging.breakOff();
    }
  }
}
