package io.holdfast.runtime.lane;

import io.holdfast.World;
import io.holdfast.runtime.time.RetryingExecutor;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One connection and one daemon thread; only that thread uses the connection.
 *
 * <p>It takes all queued verbs, up to the engine's batch size, as one {@link LockEngine#perform}.
 */
final class LaneThread {

  /*
   * Every verb is completed exactly once. A verb is in the queue, in the crew's batch, or complete;
   * it moves under the lock.
   *
   * Each verb of a batch has a timeout of its own. When the first one passes, that verb is completed
   * as unknown and the crew is relieved: a new crew with a connection of its own continues with the
   * queue, and the relieved one only finishes its batch, for verbs that have more time. When the last
   * timeout passes, the crew is dismissed: its connection is closed under it. A crew that returns
   * later finds that it is not the current one and changes nothing; a verb that it completes late
   * already has its reply. A verb that was completed before its crew connected is not sent.
   */

  private final LockEngine engine;
  private final World world;
  private final RetryingExecutor closers;
  private final LaneWatchdog watch;
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Set<Verb> queue = new LinkedHashSet<>();
  private final Set<Crew> relieved = new HashSet<>();
  private final ToLongFunction<Verb> timeouts;

  private @Nullable Crew crew;
  private boolean closed;
  private volatile int queued;
  private volatile long limit;
  private volatile Lane.Replaced replaced = lane -> {};

  LaneThread(LockEngine engine, World world, LaneWatchdog watch, String name, long timeout) {
    this(engine, world, watch, name, timeout, verb -> timeout);
  }

  /**
   * Creates a lane whose verbs have different timeouts.
   *
   * @param limit the longest timeout
   * @param timeouts the timeout of each verb, unless the limit is shorter
   */
  LaneThread(
      LockEngine engine,
      World world,
      LaneWatchdog watch,
      String name,
      long limit,
      ToLongFunction<Verb> timeouts) {
    this.engine = engine;
    this.world = world;
    this.closers = new RetryingExecutor(world);
    this.watch = watch;
    this.name = name;
    this.limit = limit;
    this.timeouts = timeouts;
    watch.add(this);
    watch.limit(limit);
  }

  void onReplaced(Lane.Replaced listener) {
    replaced = listener;
  }

  /** Lowers the timeout of every verb to this value, if it is higher. */
  void limit(long most) {
    lock.lock();
    try {
      limit = Math.min(limit, most);
    } finally {
      lock.unlock();
    }
    watch.limit(limit);
  }

  private long timeout(Verb verb) {
    return Math.min(limit, timeouts.applyAsLong(verb));
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

  /** Ends verbs that take too long, and replaces their crew; returns whether a crew is at work. */
  boolean endLateVerbs() {
    List<LateVerbs> late = new ArrayList<>();
    boolean isRelieved = false;
    boolean isAtWork;
    lock.lock();
    try {
      long now = world.nanoTime();
      for (Crew each : List.copyOf(relieved)) {
        each.addLate(late, now);
      }
      Crew current = crew;
      if (current != null && current.busySince != Crew.IDLE && current.addLate(late, now)) {
        isRelieved = true;
        crew = null;
        if (!current.isDismissed) {
          relieved.add(current);
        }
      }
      if (isStranded()) {
        startCrew();
      }
      isAtWork = !relieved.isEmpty() || (crew == null ? isStranded() : crew.busySince != Crew.IDLE);
    } finally {
      lock.unlock();
    }
    late.forEach(LateVerbs::end);
    if (isRelieved) {
      replaced.replaced(name);
    }
    return isAtWork;
  }

  private boolean isStranded() {
    return crew == null && !queue.isEmpty() && !closed;
  }

  /**
   * Verbs of a crew whose timeout has passed.
   *
   * @param wasConnected whether they may have been sent
   * @param isLast whether the crew has no other verbs
   */
  private record LateVerbs(Crew crew, List<Verb> verbs, boolean wasConnected, boolean isLast) {

    void end() {
      crew.end(verbs, wasConnected);
      if (isLast) {
        crew.dismiss();
      }
    }
  }

  /** The thread that works on one connection. */
  private final class Crew implements Runnable {

    static final long IDLE = Long.MIN_VALUE;

    private volatile long busySince = IDLE;
    private volatile @Nullable LockEngine connection;
    private boolean connected;
    private boolean isDismissed;
    private volatile List<Verb> batch = List.of();

    @Override
    public void run() {
      try {
        while (take()) {
          perform();
          gather();
        }
        hangUp();
      } finally {
        forget();
      }
    }

    private void forget() {
      lock.lock();
      try {
        relieved.remove(this);
      } finally {
        lock.unlock();
      }
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
     * Checked again after connecting: verbs that were completed meanwhile must not reach the store.
     */
    private boolean mayPerform() {
      lock.lock();
      try {
        connected = !isDismissed && !batch.isEmpty();
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

    /**
     * Adds the verbs whose timeout has passed, under the lock of the lane. Those that were not sent
     * yet are taken out of the batch.
     *
     * @return whether there are any, or nothing is left to do
     */
    private boolean addLate(List<LateVerbs> all, long now) {
      long busy = now - busySince;
      List<Verb> late = new ArrayList<>();
      List<Verb> inTime = new ArrayList<>();
      boolean anyOpen = false;
      for (Verb verb : batch) {
        boolean isLate = busy >= timeout(verb);
        (isLate ? late : inTime).add(verb);
        anyOpen |= !isLate;
      }
      if (late.isEmpty() || isDismissed) {
        return false;
      }
      if (!connected) {
        batch = inTime;
      } else if (anyOpen && late.stream().allMatch(Verb::isComplete)) {
        return false;
      }
      if (!anyOpen) {
        isDismissed = true;
        relieved.remove(this);
      }
      all.add(new LateVerbs(this, late, connected, isDismissed));
      return true;
    }

    void end(List<Verb> late, boolean wasConnected) {
      String store = engine.traits().store();
      EngineException failure =
          wasConnected
              ? new EngineException.Unknown(
                  "no reply from " + store + " within the operation timeout", null)
              : new EngineException.NotDone(
                  "no connection to " + store + " within the operation timeout", null);
      late.forEach(verb -> verb.fail(failure));
    }

    /** Closing may block on the very connection that hangs. */
    void dismiss() {
      closers.execute(this::hangUp);
    }
  }
}
