package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.PinnedConnection;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.BackgroundLoop;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The mode session: all locks of a client on one session of the server. */
final class SessionMode extends LockMode {

  /*
   * Why no rival gets in: the server gives a lock to one session. Ours has it from the trip that
   * took it until it releases it or ends, and tickets that share the session exclude each other by
   * SessionHolds. The server ends a session that is silent for a lease; a holder believes for a
   * lease from before its last confirmed trip, so it stops first.
   *
   * What breaks it: anything that ends the session unnoticed while its client lives. The server is
   * restarted, a replica takes over, an administrator calls pg_terminate_backend or KILL, the
   * network resets the connection: the lock is free at once, and the holder learns of it at its
   * next renewal, a third of a lease later at most. For that long two holders may believe. Then
   * tokens protect: the next grant takes its number from the sequence after it has the lock. The
   * same applies to a generation that is raised during a grant of an older client.
   *
   * One lane at a time uses the session: it has the turn. A call that hangs is broken off by its
   * lane, and that ends the session for all lanes: its tickets go into `lost`.
   */

  private final SessionLocks sql;
  private final ReentrantLock turn = new ReentrantLock();
  private final BackgroundLoop heartbeat = heartbeat("holdfast-session", this::beat);
  private volatile @Nullable Lane using;
  private volatile @Nullable LockSession session;

  /**
   * Creates a mode without a session yet.
   *
   * @param traits with the lease of the client as the session's
   */
  SessionMode(JdbcStore store, ModeTables tables, EngineTraits traits) {
    super(store, tables, traits);
    this.sql =
        tables.tokenCounter() instanceof PgTokenSequence tokenCounter
            ? new AdvisoryLocks(tables, tokenCounter)
            : new NamedLocks(tables);
  }

  /** A lane of the one session: it has no connection of its own, and waits for its turn. */
  private final class Lane implements BatchEngine {

    private volatile boolean laneClosed;

    @Override
    public EngineTraits traits() {
      return traits;
    }

    @Override
    public void perform(List<Verb> batch) {
      SessionMode.this.perform(this, batch);
    }

    /** Ends the session if the call that is under way is this lane's. */
    @Override
    public void close() {
      laneClosed = true;
      LockSession open = session;
      if (using == this && open != null) {
        open.breakOff();
      }
    }
  }

  @Override
  String whyNot() {
    return "a lock of a session is one lock, without a line or permits, and nothing of it outlives"
        + " the session; the mode table has the others";
  }

  @Override
  LockEngine lane() {
    return new Lane();
  }

  private void perform(Lane lane, List<Verb> batch) {
    List<Verb> verbs = admission.admit(batch);
    if (verbs.isEmpty()) {
      return;
    }
    turn.lock();
    try {
      requireOpen(lane.laneClosed);
    } catch (EngineException e) {
      endIfOver();
      turn.unlock();
      verbs.forEach(verb -> verb.fail(e));
      return;
    }
    try {
      using = lane;
      new SessionBatch(this, connected()).run(verbs);
    } catch (EngineException e) {
      verbs.forEach(verb -> withoutSession(verb, e));
    } finally {
      using = null;
      endIfOver();
      if (closed) {
        // close() did not wait for this batch, which may have opened the session just now.
        closeSession();
      }
      turn.unlock();
    }
  }

  /** Completes a verb while there is no session, so nothing is held. */
  private void withoutSession(Verb verb, EngineException failure) {
    if (verb instanceof Verb.Leave leave) {
      noteLeave(leave);
      leave.complete(Left.NOTHING);
    } else if (verb instanceof Verb.Renew renew && lost.contains(verb.ticket().id())) {
      renew.complete(sessionOver());
    } else {
      verb.fail(failure);
    }
  }

  private LockSession connected() throws EngineException {
    endIfOver();
    LockSession open = session;
    if (open == null) {
      open = connect();
      session = open;
      heartbeat.start();
    }
    return open;
  }

  private LockSession connect() throws EngineException {
    PinnedConnection pinned = PinnedConnection.open(store);
    boolean ready = false;
    try {
      if (pinned.isPooled()) {
        new PoolerCheck(store, sql).require(pinned);
        pinned.change(store.dialect().changes(), store.dialect().settings(store.timeout()));
      }
      tables.require(pinned, store);
      pinned.change(sql.changes(), sql.settings(lease));
      pinned.nameSession();
      ready = true;
      return new LockSession(pinned, sql, pinned.session(), store.nanoTime());
    } catch (SQLException e) {
      throw store.errors().failure(e);
    } finally {
      if (!ready) {
        pinned.close();
      }
    }
  }

  /** Keeps a silent session alive. */
  private void beat() {
    if (!turn.tryLock()) {
      return;
    }
    try {
      LockSession open = session;
      if (open != null && !closed && open.silentFor() >= lease.toNanos() / 3) {
        SessionLocks.Alive alive = open.call(connection -> sql.probe(connection, List.of()));
        if (!open.is(alive)) {
          open.breakOff();
        }
      }
    } catch (SQLException e) {
      // If the session is over, the next renewals report it.
      return;
    } finally {
      endIfOver();
      turn.unlock();
    }
  }

  /** Called with the turn. */
  private void endIfOver() {
    LockSession open = session;
    if (open != null && open.isOver()) {
      open.breakOff();
      open.holds().tickets().forEach(lost::add);
      session = null;
      ended.increment();
    }
  }

  SessionLocks sql() {
    return sql;
  }

  @Override
  EngineCondition condition() {
    return new EngineCondition(List.of(), Map.of("sessions.lost", ended.sum()));
  }

  /** Waits briefly for the turn; a call that hangs is not waited for. */
  private boolean hasTurnSoon() {
    try {
      return turn.tryLock(store.timeout().toNanos() / 4, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    heartbeat.close();
    if (hasTurnSoon()) {
      try {
        closeSession();
      } finally {
        turn.unlock();
      }
    } else {
      LockSession open = session;
      if (open != null) {
        open.breakOff();
      }
    }
    store.opener().close();
  }

  /** Called with the turn: a batch may have opened the session while the turn was waited for. */
  private void closeSession() {
    LockSession open = session;
    session = null;
    if (open != null) {
      open.close();
    }
  }
}
