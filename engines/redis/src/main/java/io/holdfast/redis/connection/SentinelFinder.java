package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.connection.SentinelView.SentinelReport;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks all sentinels for the master, and follows their events.
 *
 * <p>The sentinel with the newest configuration decides; others may learn of a failover seconds
 * later.
 */
final class SentinelFinder implements MasterFinder {

  /*
   * Why no two masters grant the same lock in a planned failover: the former master remains a
   * master until a sentinel makes it a replica, about 10 s after the promotion, and nothing at the
   * server shows it. The sentinel that leads the failover announces it one step of its timer (50 to
   * 100 ms) before it promotes the replica, and again when the new master is in charge. From the
   * first announcement on this client asks the old master for nothing new, and a grant whose reply
   * crossed the announcement counts as unknown: the ticket asks again at the next master. Renewals
   * go on, so that a failover that is given up costs no hold; they are repeated at the new master
   * as soon as it is named. A sentinel that announces a failover and then hangs or is out of reach
   * keeps new requests back until another sentinel has a newer configuration, for 15 s at most.
   *
   * What breaks it: an announcement that arrives after the promotion or not at all, and grants of the
   * last milliseconds that were not replicated. The strict profile covers both.
   */

  /**
   * The master to use.
   *
   * @param rank of the report that named it
   */
  private record Decision(Server master, long rank) {}

  private final String name;
  private final List<SentinelView> views;
  private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Decision decision;
  private boolean following;
  private boolean closed;

  /**
   * Creates a finder.
   *
   * @param patience how long one sentinel may take to reply
   */
  SentinelFinder(
      List<Server> sentinels, String master, ConnectionFactory factory, Duration patience) {
    this.name = master;
    this.views =
        sentinels.stream()
            .map(sentinel -> new SentinelView(sentinel, master, factory, patience, this::decide))
            .toList();
  }

  @Override
  public Server find(OpenSockets sockets, Deadline deadline) throws EngineException {
    List<EngineException> failures = new ArrayList<>();
    List<SentinelView> silent = views.stream().filter(SentinelView::isSilent).toList();
    List<SentinelView> others = views.stream().filter(view -> !silent.contains(view)).toList();
    // A sentinel that did not reply recently costs time: it is asked only if no other one replies.
    if (!ask(others, sockets, deadline, failures) && !ask(silent, sockets, deadline, failures)) {
      String said =
          failures.stream().map(EngineException::getMessage).collect(Collectors.joining("; "));
      String all = "no sentinel names the master " + name + ": " + said;
      boolean permanent = failures.stream().allMatch(EngineException.Refused.class::isInstance);
      throw permanent ? new EngineException.Refused(all) : new EngineException.NotDone(all, null);
    }
    follow();
    Decision now = decision;
    if (now == null) {
      throw new EngineException.NotDone("no sentinel names the master " + name + " any more", null);
    }
    return now.master;
  }

  /** Returns whether one of them has named a master. */
  private static boolean ask(
      List<SentinelView> some,
      OpenSockets sockets,
      Deadline deadline,
      List<EngineException> failures) {
    boolean named = false;
    for (SentinelView view : some) {
      try {
        view.ask(sockets, deadline);
        named = true;
      } catch (EngineException e) {
        failures.add(e);
      }
    }
    return named;
  }

  /** Begins to listen to the events of all sentinels; once. */
  private void follow() {
    lock.lock();
    try {
      if (!following && !closed) {
        following = true;
        views.forEach(SentinelView::follow);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Adopts the newest report. Without any report, the last decision stays. */
  private void decide() {
    boolean replaced;
    lock.lock();
    try {
      Decision before = decision;
      SentinelReport newest = newest();
      if (newest == null) {
        return;
      }
      decision = new Decision(newest.master(), newest.rank());
      replaced = before != null && !before.master.equals(newest.master());
    } finally {
      lock.unlock();
    }
    if (replaced) {
      listeners.forEach(Runnable::run);
    }
  }

  private @Nullable SentinelReport newest() {
    SentinelReport best = null;
    for (SentinelView view : views) {
      SentinelReport named = view.named();
      if (named != null && (best == null || isNewer(named, best))) {
        best = named;
      }
    }
    return best;
  }

  /** Of two equally new reports, the master that more sentinels name wins. */
  private boolean isNewer(SentinelReport one, SentinelReport other) {
    int newer = Long.compare(one.rank(), other.rank());
    return newer > 0 || (newer == 0 && votes(one.master()) > votes(other.master()));
  }

  private long votes(Server master) {
    return views.stream()
        .map(SentinelView::named)
        .filter(named -> named != null && named.master().equals(master))
        .count();
  }

  /** Not stored with the decision: a doubt ends by time alone. */
  private boolean isFailingOver(Decision now) {
    for (SentinelView view : views) {
      if (view.isFailingOver(now.rank)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isReplaced(Server master) {
    Decision now = decision;
    return now != null && !now.master.equals(master);
  }

  @Override
  public @Nullable String objection(Server master) {
    Decision now = decision;
    if (now == null) {
      return null;
    }
    if (!now.master.equals(master)) {
      return master + " is not the master " + name + " any more, " + now.master + " is";
    }
    return isFailingOver(now)
        ? "a failover of the master " + name + " is in progress, and " + master + " is replaced"
        : null;
  }

  @Override
  public void onReplaced(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    listeners.clear();
    views.forEach(SentinelView::close);
  }
}
