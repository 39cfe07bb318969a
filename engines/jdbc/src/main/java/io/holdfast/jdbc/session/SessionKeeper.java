package io.holdfast.jdbc.session;

import io.holdfast.jdbc.kept.Beat;
import io.holdfast.jdbc.kept.Departed;
import io.holdfast.jdbc.kept.Door;
import io.holdfast.jdbc.kept.Errand;
import io.holdfast.jdbc.kept.Keeper;
import io.holdfast.jdbc.kept.Layout;
import io.holdfast.jdbc.kept.PgMint;
import io.holdfast.jdbc.kept.WaitingHere;
import io.holdfast.jdbc.wire.Kept;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** All locks of a client, on one session of the server. */
public final class SessionKeeper implements Keeper {

  /*
   * Why no rival gets in: the server gives a lock to one session. Ours has it from the trip that
   * took it until it gives it back or ends, and tickets that share the session exclude each other
   * by the book. The server ends a session that it has not heard of for a lease; a holder believes
   * for a lease from before the last trip that was answered, so it stops first.
   *
   * What breaks it: whatever ends the session while its client lives and is not told. The server is
   * restarted, a replica takes over, somebody calls pg_terminate_backend or KILL, the network
   * between resets the connection: the lock is free at once, and the holder hears of it at its next
   * renewal, a third of a lease later at most. For that long two may believe. Tokens protect then:
   * the next grant takes its number from the sequence after it has the lock. The same goes for a
   * generation that is raised while an older client is just being granted something.
   *
   * The session has one user at a time, who has the turn. A call that hangs is broken off by the
   * lane that makes it, and that ends the session for everybody: its tickets go into `lost`.
   */

  private static final int REMEMBERED_LEASES = 4;

  private final Runner.Store store;
  private final Layout layout;
  private final SessionSql sql;
  private final Duration lease;
  private final EngineTraits traits;
  private final Door door;
  private final Departed left;
  private final Departed lost;
  private final WaitingHere waiting;
  private final LongAdder ended = new LongAdder();
  private final ReentrantLock turn = new ReentrantLock();
  private volatile @Nullable SessionErrand using;
  private volatile @Nullable Session session;
  private volatile @Nullable Beat beat;
  private volatile boolean closed;

  /**
   * A keeper without a session yet.
   *
   * @param traits with the lease of the client as the session's
   */
  public SessionKeeper(Runner.Store store, Layout layout, Duration lease, EngineTraits traits) {
    this.store = store;
    this.layout = layout;
    this.lease = lease;
    this.traits = traits;
    this.sql =
        layout.mint() instanceof PgMint mint ? new PgLocks(layout, mint) : new NamedLocks(layout);
    this.door = new Door(traits, whyNot());
    this.left = new Departed(store.nanoTime(), lease.toNanos());
    this.lost = new Departed(store.nanoTime(), REMEMBERED_LEASES * lease.toNanos());
    this.waiting = new WaitingHere(store.nanoTime(), lease.toNanos());
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  @Override
  public String whyNot() {
    return "a lock of a session is one lock, without a line or permits, and nothing of it outlives"
        + " the session; the mode table has the others";
  }

  @Override
  public Errand errand() {
    return new SessionErrand(this);
  }

  void perform(SessionErrand who, List<Verb> batch) {
    List<Verb> verbs = batch.stream().filter(door::lets).toList();
    if (verbs.isEmpty()) {
      return;
    }
    turn.lock();
    try {
      if (closed || who.isClosed()) {
        EngineException failure =
            closed
                ? door.refusals().closed()
                : new EngineException.NotDone("the lane is closed", null);
        verbs.forEach(verb -> verb.fail(failure));
        return;
      }
      using = who;
      Round round = new Round(this, connected());
      round.run(verbs);
    } catch (EngineException e) {
      verbs.forEach(verb -> withoutSession(verb, e));
    } finally {
      using = null;
      endIfOver();
      turn.unlock();
    }
  }

  /** What can be said while there is no session: nothing is held. */
  private void withoutSession(Verb verb, EngineException failure) {
    if (verb instanceof Verb.Leave leave) {
      if (leave.inDoubt()) {
        left.add(leave.ticket().id());
      }
      waiting.remove(leave.ticket());
      leave.complete(Left.NOTHING);
    } else if (verb instanceof Verb.Renew renew && lost.contains(verb.ticket().id())) {
      renew.complete(new Renewal.Gone(Renewal.Cause.SESSION_OVER, ""));
    } else {
      verb.fail(failure);
    }
  }

  private Session connected() throws EngineException {
    endIfOver();
    Session open = session;
    if (open == null) {
      open = connect();
      session = open;
      if (beat == null) {
        beat = new Beat("holdfast-session", lease.toNanos(), this::beat);
      }
    }
    return open;
  }

  private Session connect() throws EngineException {
    Kept kept = Kept.open(store);
    boolean ready = false;
    try {
      if (kept.isPooled()) {
        new PoolerCheck(store, sql).require(kept);
        kept.change(store.dialect().changes(), store.dialect().settings(store.timeout()));
      }
      layout.require(kept, store);
      kept.change(sql.changes(), sql.settings(lease));
      kept.nameSession();
      ready = true;
      return new Session(kept, sql, kept.session(), store.nanoTime());
    } catch (SQLException e) {
      throw store.words().failure(e);
    } finally {
      if (!ready) {
        kept.close();
      }
    }
  }

  /** Lets the server hear of us when nobody else does. */
  private void beat() {
    if (!turn.tryLock()) {
      return;
    }
    try {
      Session open = session;
      if (open != null && !closed && open.silentFor() >= lease.toNanos() / 3) {
        SessionSql.Alive alive = open.call(link -> sql.probe(link, List.of()));
        if (!open.is(alive)) {
          open.breakOff();
        }
      }
    } catch (SQLException e) {
      // If the session is over, everybody hears of it at the next renewal.
      return;
    } finally {
      endIfOver();
      turn.unlock();
    }
  }

  /** Called by who has the turn. */
  private void endIfOver() {
    Session open = session;
    if (open != null && open.isOver()) {
      open.breakOff();
      open.book().tickets().forEach(lost::add);
      session = null;
      ended.increment();
    }
  }

  /** A lane gives up: if the call that is under way is its own, the session ends. */
  void breakOff(SessionErrand who) {
    Session open = session;
    if (using == who && open != null) {
      open.breakOff();
    }
  }

  Runner.Store store() {
    return store;
  }

  Layout layout() {
    return layout;
  }

  SessionSql sql() {
    return sql;
  }

  Duration lease() {
    return lease;
  }

  Door door() {
    return door;
  }

  Departed left() {
    return left;
  }

  Departed lost() {
    return lost;
  }

  WaitingHere waiting() {
    return waiting;
  }

  @Override
  public EngineCondition condition() {
    return new EngineCondition(List.of(), Map.of("sessions.lost", ended.sum()));
  }

  /** Who has it may only have to leave; one that hangs is not waited for. */
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
    Session open = session;
    Beat beating = beat;
    if (beating != null) {
      beating.close();
    }
    if (hasTurnSoon()) {
      try {
        if (open != null) {
          open.close();
        }
      } finally {
        turn.unlock();
      }
    } else if (open != null) {
      open.breakOff();
    }
    store.links().close();
  }
}
