package io.holdfast.runtime.lane;

import io.holdfast.World;
import io.holdfast.runtime.time.RetryingExecutor;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection and one daemon thread; only that thread uses the connection.
 *
 * <p>It takes all queued verbs, up to the engine's batch size, as one {@link LockEngine#perform}.
 */
final class LaneThread {

  /*
   * Every verb is completed exactly once. A verb is in the queue, in the crew's batch, or complete;
   * it moves under the lock. A crew that takes too long is dismissed: its verbs are completed as
   * unknown, its connection is closed under it, and a new crew continues with the queue. A
   * dismissed crew that returns finds that it is not the current one and changes nothing; a verb
   * that it completes late already has its reply.
   */

  /** Is notified when a connection is given up. */
  public interface Replaced {
    void replaced(String lane);
  }

  private final LockEngine engine;
  private final World world;
  private final RetryingExecutor closers;
  private final LaneWatchdog watch;
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Set<Verb> queue = new LinkedHashSet<>();

  private @Nullable Crew crew;
  private boolean closed;
  private volatile int queued;
  private volatile long timeout;
  private volatile Replaced replaced = lane -> {};

  LaneThread(LockEngine engine, World world, LaneWatchdog watch, String name, long timeout) {
    this.engine = engine;
    this.world = world;
    this.closers = new RetryingExecutor(world);
    this.watch = watch;
    this.name = name;
    this.timeout = timeout;
    watch.add(this);
    watch.limit(timeout);
  }

  void onReplaced(Replaced listener) {
    replaced = listener;
  }

  /** Lowers the operation timeout to this value, if it is higher. */
  void limit(long most) {
    lock.lock();
    try {
      timeout = Math.min(timeout, most);
    } finally {
      lock.unlock();
    }
    watch.limit(timeout);
  }

  int queued() {
    return queued;
  }

  void submit(Verb verb) {
    EngineException failure;
    lock.lock();
    try {
      failure = closed ? new EngineException.NotDone("the client is closed", null) : enqueue(verb);
    } finally {
      lock.unlock();
    }
    if (failure != null) {
      verb.fail(failure);
    }
  }

  private @Nullable EngineException enqueue(Verb verb) {
    queue.add(verb);
    EngineException failure = null;
    if (crew == null) {
      failure = startCrew();
    } else {
      work.signal();
    }
    if (failure != null) {
      queue.remove(verb);
    }
    queued = queue.size();
    return failure;
  }

  /** Starts a crew. If the machine is out of threads, the next verb tries again. */
  private @Nullable EngineException startCrew() {
    Crew fresh = new Crew();
    crew = fresh;
    try {
      world.start(name, fresh);
      return null;
    } catch (RuntimeException | OutOfMemoryError e) {
      crew = null;
      return new EngineException.NotDone("no thread for " + name, e);
    }
  }

  boolean withdraw(Verb verb) {
    lock.lock();
    try {
      boolean waited = queue.remove(verb);
      queued = queue.size();
      return waited;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    List<Verb> left;
    lock.lock();
    try {
      closed = true;
      left = new ArrayList<>(queue);
      queue.clear();
      queued = 0;
      work.signalAll();
    } finally {
      lock.unlock();
    }
    left.forEach(verb -> verb.fail(new EngineException.NotDone("the client was closed", null)));
  }

  /** Dismisses a crew that takes too long; returns whether a crew is at work. */
  boolean replaceIfLate() {
    Crew late;
    boolean connected;
    lock.lock();
    try {
      late = crew;
      if (late == null || late.busySince == Crew.IDLE) {
        boolean stranded = late == null && !queue.isEmpty() && !closed;
        return stranded && startCrew() != null;
      }
      if (world.nanoTime() - late.busySince < timeout) {
        return true;
      }
      connected = late.connected;
      crew = null;
      if (!queue.isEmpty() && !closed) {
        startCrew();
      }
    } finally {
      lock.unlock();
    }
    late.dismiss(connected);
    replaced.replaced(name);
    return true;
  }

  /** The thread that works on one connection. */
  private final class Crew implements Runnable {

    static final long IDLE = Long.MIN_VALUE;

    private volatile long busySince = IDLE;
    private volatile @Nullable LockEngine connection;
    private boolean connected;
    private volatile List<Verb> batch = List.of();

    @Override
    public void run() {
      while (take()) {
        perform();
        gather();
      }
      hangUp();
    }

    private boolean take() {
      lock.lock();
      try {
        busySince = IDLE;
        while (crew == this && queue.isEmpty() && !closed) {
          work.awaitUninterruptibly();
        }
        if (crew != this || closed) {
          return false;
        }
        batch = Batch.next(queue, engine.traits().batch());
        queued = queue.size();
        busySince = world.nanoTime();
      } finally {
        lock.unlock();
      }
      watch.busy();
      return true;
    }

    /**
     * Lets the callers that a batch has woken queue their next verbs, so that these share a trip
     * again.
     */
    private void gather() {
      int woken = batch.size();
      if (woken > 1 && queued < woken) {
        world.letOthersRun();
      }
    }

    private void perform() {
      LockEngine open = connect();
      if (open == null || !mayPerform()) {
        return;
      }
      @Nullable RuntimeException broken = null;
      try {
        open.perform(batch);
      } catch (RuntimeException e) {
        broken = e;
      }
      boolean doubt = broken != null;
      for (Verb verb : batch) {
        if (!verb.isComplete()) {
          verb.fail(new EngineException.Unknown("the engine ended without a reply", broken));
        }
        doubt |= verb.isUnknown();
      }
      if (doubt) {
        hangUp();
      }
    }

    /**
     * Checked again after connecting: a crew that was dismissed meanwhile must not touch the store.
     */
    private boolean mayPerform() {
      lock.lock();
      try {
        connected = crew == this;
        return connected;
      } finally {
        lock.unlock();
      }
    }

    private @Nullable LockEngine connect() {
      LockEngine open = connection;
      if (open != null) {
        return open;
      }
      try {
        open = engine.lane();
        connection = open;
        return open;
      } catch (EngineException e) {
        failAll(e instanceof EngineException.Refused ? e : notDone(e));
      } catch (RuntimeException e) {
        failAll(notDone(e));
      }
      return null;
    }

    private EngineException notDone(Exception cause) {
      String what = "no connection to " + engine.traits().store();
      String why = String.valueOf(cause.getMessage());
      // The engine may have reported both.
      return new EngineException.NotDone(why.startsWith(what) ? why : what + ": " + why, cause);
    }

    private void failAll(EngineException failure) {
      batch.forEach(verb -> verb.fail(failure));
    }

    private void hangUp() {
      lock.lock();
      try {
        connected = false;
      } finally {
        lock.unlock();
      }
      LockEngine open = connection;
      connection = null;
      if (open != null && open != engine) {
        open.close();
      }
    }

    void dismiss(boolean wasConnected) {
      String store = engine.traits().store();
      failAll(
          wasConnected
              ? new EngineException.Unknown(
                  "no reply from " + store + " within the operation timeout", null)
              : new EngineException.NotDone(
                  "no connection to " + store + " within the operation timeout", null));
      // Closing may block on the very connection that hangs.
      closers.execute(this::hangUp);
    }
  }
}
