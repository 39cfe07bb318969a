package io.holdfast.redis.signals;

import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ServerTopology;
import io.holdfast.redis.connection.SignalListener;
import io.holdfast.redis.connection.Subscription;
import io.holdfast.redis.layout.Keys;
import io.holdfast.redis.signals.HeldTickets.HeldTicket;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices records of holds that were deleted or replaced by hand. Thread-safe.
 *
 * <p>A hold is watched when it is 150 ms old, so that short ones cost no message. Acquires and
 * releases only enqueue; a thread of its own does the rest, and runs while there is work.
 */
public final class RecordWatches implements HeldTickets.Watcher, SignalListener, AutoCloseable {

  /*
   * The server reports the next change of each key that a watch has read, whatever made it: our own
   * renewal, a waiter in the line, an operator. So each change is followed by another look, which
   * checks what a renewal would check and starts the watch again. Only if the look does not find the
   * ticket, its hold is reported as changed, and only once: if the renewal finds it after all, the
   * two must not go on contradicting each other.
   *
   * A watch that is missing or late costs no safety: the next renewal notices the same.
   */

  private static final System.Logger LOG = System.getLogger(RecordWatches.class.getName());

  private static final Script LOOK = Script.reading("signals/watch");

  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
  private static final long MOMENT_MILLIS = 150;

  /** How long changes are collected: a busy line is checked no more often than this. */
  private static final long TURN_MILLIS = 50;

  /**
   * How many holds of one line are checked in a turn, the least recently checked first. The first
   * check that does not find the line's record reports it for all of them.
   */
  private static final int CHECKS_OF_A_LINE = 4;

  /** Further holds are left to their renewals. */
  static final int MOST = 4_096;

  private static final long IDLE_SECONDS = 10;

  private final ServerTopology topology;
  private final LongSupplier nanoTime;
  private final Consumer<Resource> report;
  private final Queue<HeldTicket> young = new ConcurrentLinkedQueue<>();
  private final Queue<HeldTicket> ended = new ConcurrentLinkedQueue<>();
  private final Set<String> due = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<String, HeldTicket> byWatch = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Set<String>> watchesByKey = new ConcurrentHashMap<>();
  private final AtomicBoolean turning = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor turns;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Subscription subscription;

  /** The number of the last check; used by the turns alone. */
  private long lastCheck;

  private volatile boolean closed;

  /** Set for good if the connections belong to a caller-supplied client. */
  private volatile boolean unable;

  /**
   * Creates the watches of one client.
   *
   * @param report receives resources whose records no longer belong to the holder
   */
  public RecordWatches(ServerTopology topology, LongSupplier nanoTime, Consumer<Resource> report) {
    this.topology = topology;
    this.nanoTime = nanoTime;
    this.report = report;
    this.turns =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "holdfast-watches-" + topology.address());
              thread.setDaemon(true);
              return thread;
            });
    turns.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    turns.allowCoreThreadTimeOut(true);
    turns.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public void begins(HeldTicket held) {
    if (unable) {
      return;
    }
    young.add(held);
    turnIn(MOMENT_MILLIS);
  }

  @Override
  public void ends(HeldTicket held) {
    held.over = true;
    if (held.watched) {
      ended.add(held);
      turnIn(TURN_MILLIS);
    }
  }

  private void turnIn(long millis) {
    if (turning.get() || !turning.compareAndSet(false, true)) {
      return;
    }
    try {
      Future<?> unused = turns.schedule(this::turn, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.log(System.Logger.Level.DEBUG, "closed");
    } catch (OutOfMemoryError e) {
      // No thread to watch with. The grant stands, and the next one tries again.
      turning.set(false);
      LOG.log(System.Logger.Level.WARNING, "no thread to watch held locks", e);
    }
  }

  private void turn() {
    try {
      lock.lock();
      try {
        if (!closed) {
          endWatches();
          beginWatches();
          lookAgain();
        }
      } finally {
        lock.unlock();
      }
    } catch (OutOfMemoryError e) {
      // The connection needs a thread too. Holds without a watch are left to their renewals.
      LOG.log(System.Logger.Level.WARNING, "no thread to watch held locks", e);
    } finally {
      turning.set(false);
      if (!young.isEmpty() || !ended.isEmpty() || !due.isEmpty()) {
        turnIn(TURN_MILLIS);
      }
    }
  }

  private void endWatches() {
    for (HeldTicket held = ended.poll(); held != null; held = ended.poll()) {
      end(held);
    }
  }

  private void end(HeldTicket held) {
    String watch = watch(held.ticket);
    if (!byWatch.remove(watch, held)) {
      return;
    }
    for (String key : keys(held.ticket)) {
      watchesByKey.computeIfPresent(
          key,
          (name, watches) -> {
            watches.remove(watch);
            return watches.isEmpty() ? null : watches;
          });
    }
    Subscription open = subscription;
    if (open != null) {
      open.remove(watch);
    }
  }

  private void beginWatches() {
    long now = nanoTime.getAsLong();
    HeldTicket next = young.peek();
    while (next != null && now - next.since >= MOMENT_NANOS) {
      young.remove();
      if (!next.over && byWatch.size() < MOST) {
        begin(next);
      }
      next = young.peek();
    }
  }

  private void begin(HeldTicket held) {
    Subscription open = subscription;
    if (open == null) {
      open = topology.watch(LOOK, this).orElse(null);
      subscription = open;
    }
    if (open == null) {
      unable = true;
      return;
    }
    held.watched = true;
    if (held.over) {
      // The removal may not have seen that it is watched.
      return;
    }
    String watch = watch(held.ticket);
    byWatch.put(watch, held);
    for (String key : keys(held.ticket)) {
      watchesByKey.computeIfAbsent(key, name -> ConcurrentHashMap.newKeySet()).add(watch);
    }
    open.add(watch);
  }

  private void lookAgain() {
    Subscription open = subscription;
    List<HeldTicket> changed = new ArrayList<>();
    for (String watch : List.copyOf(due)) {
      HeldTicket held = byWatch.get(watch);
      if (held == null || held.over || open == null) {
        due.remove(watch);
      } else {
        changed.add(held);
      }
    }
    changed.sort(Comparator.comparingLong(held -> held.lastCheck));
    Map<Resource, Integer> checks = new HashMap<>();
    for (HeldTicket held : changed) {
      if (open != null
          && checks.merge(held.ticket.resource(), 1, Integer::sum) <= CHECKS_OF_A_LINE) {
        String watch = watch(held.ticket);
        held.lastCheck = ++lastCheck;
        // Removed first: a change that comes meanwhile is handled in the next turn.
        due.remove(watch);
        open.remove(watch);
        open.add(watch);
      }
    }
  }

  @Override
  public void changed(List<String> keys) {
    if (keys.isEmpty()) {
      due.addAll(byWatch.keySet());
    }
    for (String key : keys) {
      due.addAll(watchesByKey.getOrDefault(key, Set.of()));
    }
    if (!due.isEmpty()) {
      turnIn(TURN_MILLIS);
    }
  }

  /** A look did not find the ticket. */
  @Override
  public void message(String watch, String payload) {
    HeldTicket held = byWatch.get(watch);
    if (held != null && !held.over) {
      ended.add(held);
      turnIn(TURN_MILLIS);
      report.accept(held.ticket.resource());
    }
  }

  @Override
  public void armed(String watch) {}

  @Override
  public void lost(String watch) {}

  /** See {@code signals/watch.lua}. */
  private static String watch(Ticket ticket) {
    return ticket.id().encoded()
        + ServerTopology.WATCH_SEPARATOR
        + String.join(String.valueOf(ServerTopology.WATCH_SEPARATOR), keys(ticket));
  }

  /**
   * Returns the keys that show whether a ticket holds. A resource without a line has only one: a
   * second key that never exists would make every check fail while a cluster moves the slot.
   */
  private static List<String> keys(Ticket ticket) {
    byte[] path = Keys.path(ticket.resource());
    int bucket = Keys.bucket(path);
    String resource = new String(Keys.key(bucket, 'l', path), StandardCharsets.UTF_8);
    return hasLine(ticket.shape())
        ? List.of(resource, new String(Keys.key(bucket, 'h', path), StandardCharsets.UTF_8))
        : List.of(resource);
  }

  private static boolean hasLine(Shape shape) {
    return shape.kind() != Shape.Kind.ONCE
        && (shape.kind() != Shape.Kind.MUTEX || shape.order() != Order.ANY);
  }

  @Override
  public void close() {
    closed = true;
    turns.shutdownNow();
    // First, so that a turn that hangs on a server releases the lock.
    closeSubscription();
    lock.lock();
    try {
      closeSubscription();
    } finally {
      lock.unlock();
    }
  }

  private void closeSubscription() {
    Subscription open = subscription;
    if (open != null) {
      open.close();
    }
  }
}
