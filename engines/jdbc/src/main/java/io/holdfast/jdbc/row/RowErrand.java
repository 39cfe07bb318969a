package io.holdfast.jdbc.row;

import io.holdfast.jdbc.kept.Errand;
import io.holdfast.jdbc.wire.AnotherSession;
import io.holdfast.jdbc.wire.Kept;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The verbs of one lane, one after another: each has a connection to itself. */
final class RowErrand implements Errand {

  /** Those that wait poll; nothing tells them. */
  private static final Duration POLL = Duration.ofMillis(500);

  private static final long SWEEP_NANOS = 60_000_000_000L;

  private final RowKeeper keeper;
  private final SideConnection side;
  private volatile @Nullable Kept using;
  private volatile boolean closed;
  private long sweptAt;

  RowErrand(RowKeeper keeper, SideConnection side) {
    this.keeper = keeper;
    this.side = side;
    this.sweptAt = now();
  }

  private long now() {
    return keeper.store().nanoTime().getAsLong();
  }

  @Override
  public void perform(List<Verb> batch) {
    List<Verb.Renew> renewals = new ArrayList<>();
    List<RowHold> holds = new ArrayList<>();
    List<Verb> others = new ArrayList<>();
    for (Verb verb : batch) {
      if (!verb.isComplete() && keeper.door().lets(verb)) {
        RowHold hold = keeper.of(verb.ticket());
        if (verb instanceof Verb.Renew renewal && hold != null && !keeper.isClosed()) {
          renewals.add(renewal);
          holds.add(hold);
        } else {
          others.add(verb);
        }
      }
    }
    // First, and all at once: others wait for nobody's connection but their own.
    keeper.probes().renew(renewals, holds);
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
    if (keeper.isClosed()) {
      throw keeper.door().refusals().closed();
    }
    if (closed) {
      throw new EngineException.NotDone("the lane is closed", null);
    }
    if (verb instanceof Verb.Attempt attempt) {
      attempt.complete(attempt(attempt.ticket()));
    } else if (verb instanceof Verb.Renew renew) {
      renew.complete(renew(renew.ticket()));
    } else if (verb instanceof Verb.Leave leave) {
      leave.complete(leave(leave.ticket(), leave.inDoubt()));
    }
  }

  private Standing attempt(Ticket ticket) throws EngineException {
    if (keeper.left().contains(ticket.id())) {
      throw keeper.door().refusals().left(ticket);
    }
    RowHold mine = keeper.of(ticket);
    if (mine != null && renew(ticket) instanceof Renewal.Renewed renewed) {
      return new Standing.Granted(mine.token(), keeper.lease(), renewed.wanted());
    }
    RowHold other = keeper.on(ticket.resource());
    if (other != null) {
      return waits(
          ticket,
          Optional.of(new Standing.Holder(other.ticket().owner(), other.token(), keeper.lease())));
    }
    Object ignored = side.open();
    return take(ticket);
  }

  private Standing waits(Ticket ticket, Optional<Standing.Holder> holder) throws EngineException {
    if (ticket.waits()) {
      keeper.waiting().add(ticket);
      if (holder.isEmpty()) {
        Object ignored = side.ask(link -> keeper.rows().want(link, ticket.resource()));
      }
    }
    return new Standing.Waiting(0, POLL, holder);
  }

  private Standing take(Ticket ticket) throws EngineException {
    while (true) {
      RowPool.Seat seat = keeper.pool().take().orElseThrow(() -> keeper.full(ticket));
      Kept kept = seat.kept();
      using = kept;
      boolean held = false;
      try {
        Optional<RowSteps.Locked> locked = keeper.rows().lock(kept, ticket.resource());
        if (locked.isEmpty()) {
          return waits(ticket, Optional.empty());
        }
        RowHold hold = minted(ticket, kept, locked.get());
        keeper.add(hold);
        held = true;
        requireStay(hold);
        boolean wanted = locked.get().wanted() || keeper.waiting().isWanted(ticket.resource());
        return new Standing.Granted(hold.token(), keeper.lease(), wanted);
      } catch (SQLException e) {
        if (seat.fresh() || !kept.isBroken() || closed) {
          throw keeper.store().words().failure(e);
        }
        // It had died while it was idle.
      } finally {
        if (!held) {
          giveBack(kept);
        }
      }
    }
  }

  private void giveBack(Kept kept) {
    using = null;
    kept.rollback();
    if (kept.isBroken()) {
      keeper.pool().drop(kept);
    } else {
      keeper.pool().giveBack(kept);
    }
  }

  /**
   * Undoes what a ticket got that left meanwhile. A leave remembers the ticket before it looks for
   * the hold, and the hold is there before this looks for the memory: one of them sees the other.
   *
   * @throws EngineException.Refused when it left
   */
  private void requireStay(RowHold hold) throws EngineException.Refused {
    Ticket ticket = hold.ticket();
    if (!keeper.left().contains(ticket.id())) {
      return;
    }
    if (keeper.remove(hold)) {
      hold.undo();
      keeper.pool().giveBack(hold.kept());
    }
    throw keeper.door().refusals().left(ticket);
  }

  /** The row is locked; nobody else can mint a token for it now. */
  private RowHold minted(Ticket ticket, Kept kept, RowSteps.Locked locked) throws EngineException {
    Resource resource = ticket.resource();
    if (locked.generation() > ticket.generation()) {
      throw keeper.door().refusals().generation(ticket, locked.generation());
    }
    if (locked.generation() < ticket.generation()) {
      Object ignored =
          side.ask(
              link -> {
                keeper.layout().raiseGeneration(link, resource.namespace(), ticket.generation());
                return link;
              });
    }
    long counter = side.ask(link -> keeper.layout().mint().take(link, 1));
    if (keeper.waiting().remove(ticket)) {
      Object ignored = side.ask(link -> keeper.rows().unwant(link, resource));
    }
    long token = Token.of(ticket.generation(), counter);
    return new RowHold(ticket, kept, token, locked.place(), keeper.store().nanoTime());
  }

  private Renewal renew(Ticket ticket) throws EngineException {
    RowHold hold = keeper.of(ticket);
    if (hold == null) {
      if (keeper.lost().contains(ticket.id())) {
        return new Renewal.Gone(Renewal.Cause.SESSION_OVER, "");
      }
      // Whether the database answers is what such a renewal is asked for.
      Object ignored = side.ask(link -> keeper.rows().ask(link, ticket.resource()));
      return new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "");
    }
    using = hold.kept();
    return keeper.probes().renew(hold);
  }

  private Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    if (inDoubt) {
      keeper.left().add(ticket.id());
    }
    keeper.waiting().remove(ticket);
    RowHold hold = keeper.of(ticket);
    if (hold == null || !keeper.remove(hold)) {
      keeper.lost().remove(ticket.id());
      return Left.NOTHING;
    }
    if (hold.hangs(keeper.probes().patienceNanos())) {
      // Whoever comes after this in the lane is not to wait for it as well.
      keeper.pool().drop(hold.kept());
      throw new EngineException.Unknown(
          "the connection of " + ticket.resource() + " does not answer, and was given up", null);
    }
    return end(hold);
  }

  private Left end(RowHold hold) throws EngineException {
    Kept kept = hold.kept();
    using = kept;
    try {
      hold.end(link -> keeper.rows().deleteOwn(link, hold));
      return Left.HOLDING;
    } catch (AnotherSession e) {
      // Ours ended, and its lock with it.
      return Left.NOTHING;
    } catch (SQLException e) {
      kept.rollback();
      if (!kept.isBroken()) {
        // Free as well, but for a row that stays until somebody sweeps.
        return Left.HOLDING;
      }
      throw new EngineException.Unknown(
          "no answer from " + keeper.store().words().address() + ": " + e.getMessage(), e);
    } finally {
      giveBack(kept);
    }
  }

  private void sweepSometimes() {
    if (now() - sweptAt < SWEEP_NANOS || closed) {
      return;
    }
    sweptAt = now();
    try {
      keeper.rows().sweep(side.open());
    } catch (SQLException | EngineException e) {
      // The next one will do it: nothing depends on it.
      return;
    }
  }

  @Override
  public void close() {
    closed = true;
    side.close();
    Kept hanging = using;
    if (hanging != null) {
      hanging.breakOff();
    }
  }
}
