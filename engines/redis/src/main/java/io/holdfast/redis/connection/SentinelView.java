package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One sentinel and its latest report of the master.
 *
 * <p>It is asked when a client connects and after each event of a failover. Without the right to
 * subscribe it is asked every two seconds.
 */
final class SentinelView implements SignalListener, AutoCloseable {

  /** The first one comes before the replica is promoted, the second one after. */
  static final List<String> EVENTS =
      List.of(
          "+failover-state-send-slaveof-noone",
          "+failover-state-reconf-slaves",
          "+switch-master",
          "+failover-end",
          "-failover-abort-not-elected",
          "-failover-abort-no-good-slave",
          "-failover-abort-slave-timeout",
          "+monitor");

  private static final String WITHOUT =
      "it is asked every two seconds instead, and a planned failover is noticed later";

  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * How long an event stays in doubt if no question is replied to. By then the replica has been
   * promoted, about a second later at most, and the former master has been made a replica, 10 s
   * after that; or the failover was given up.
   */
  static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final String FAILOVER = "failover_in_progress";

  /** No report yet: its configuration may be the newest. */
  private static final long UNKNOWN_RANK = Long.MAX_VALUE;

  private final Server sentinel;
  private final String master;
  private final ConnectionFactory factory;
  private final Duration patience;
  private final Runnable changed;
  private final LongSupplier nanoTime;
  private final OpenSockets sockets = new OpenSockets();
  private final Set<String> armed = new HashSet<>();

  /*
   * No lock is held while the sentinel is asked: a sentinel that hangs would delay every thread
   * that connects. Questions are numbered instead. The reply to an older one never replaces that to a
   * newer one, and an event is in doubt until a question that was asked after it has its reply. A
   * sentinel that announced a failover and was not heard since leaves the doubt for a bounded time: it
   * may have gone on and promoted the replica.
   */
  private final ReentrantLock lock = new ReentrantLock();
  private long lastAsked;
  private long lastReplied;
  private long doubted;
  private long lastRank = UNKNOWN_RANK;

  private volatile @Nullable SentinelReport named;
  private volatile @Nullable Long failedAt;
  private volatile @Nullable Doubt doubt;
  private volatile @Nullable SubscriberThread events;

  /**
   * Creates a view.
   *
   * @param patience how long the sentinel may take to reply
   * @param changed run after each reply and each failure
   */
  SentinelView(
      Server sentinel,
      String master,
      ConnectionFactory factory,
      Duration patience,
      Runnable changed) {
    this(sentinel, master, factory, patience, changed, System::nanoTime);
  }

  SentinelView(
      Server sentinel,
      String master,
      ConnectionFactory factory,
      Duration patience,
      Runnable changed,
      LongSupplier nanoTime) {
    this.sentinel = sentinel;
    this.master = master;
    this.factory = factory;
    this.patience = patience;
    this.changed = changed;
    this.nanoTime = nanoTime;
  }

  /** Returns the latest report, or null if the sentinel cannot be reached. */
  @Nullable SentinelReport named() {
    return named;
  }

  /** Returns whether it failed to reply within the last 5 s. */
  boolean isSilent() {
    Long failed = failedAt;
    return failed != null && nanoTime.getAsLong() - failed < SILENT_NANOS;
  }

  /**
   * Returns whether it is, or may be, replacing the master; false if its configuration is outdated.
   *
   * @param newest the rank of the newest report of any sentinel
   */
  boolean isFailingOver(long newest) {
    SentinelReport last = named;
    Doubt event = doubt;
    boolean said = last != null && last.isFailingOver() && last.rank() >= newest;
    return said
        || (event != null
            && event.rank >= newest
            && nanoTime.getAsLong() - event.since < DOUBT_NANOS);
  }

  void follow() {
    SubscriberThread thread =
        SubscriberThread.start(
            sentinel.toString(),
            new SubscriberSettings(
                SubscriberSettings.Style.PLAIN,
                own -> factory.openUnchecked(sentinel, own, Deadline.in(patience)),
                Duration.ofSeconds(1),
                this,
                WITHOUT));
    events = thread;
    EVENTS.forEach(thread::add);
  }

  /** Asks for the master. */
  void ask(OpenSockets over, Deadline deadline) throws EngineException {
    long number = nextNumber();
    SentinelReport said = null;
    try {
      said = asked(over, deadline.orIn(patience));
    } finally {
      replied(number, said);
      changed.run();
    }
  }

  /** Returns the number of a question that is asked now. */
  long nextNumber() {
    lock.lock();
    try {
      return ++lastAsked;
    } finally {
      lock.unlock();
    }
  }

  /** Stores a report; null if it did not reply. */
  void replied(long number, @Nullable SentinelReport said) {
    lock.lock();
    try {
      if (number < lastReplied) {
        return;
      }
      lastReplied = number;
      if (said == null) {
        failedAt = nanoTime.getAsLong();
        unreachable();
        return;
      }
      failedAt = null;
      named = said;
      lastRank = said.rank();
      if (number > doubted) {
        doubt = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * A failover may have begun: in doubt until a question that is asked from now on has its reply,
   * or for {@link #DOUBT_NANOS}.
   */
  void doubt() {
    lock.lock();
    try {
      doubted = lastAsked;
      doubt = new Doubt(lastRank, nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** It names no master, but a failover that it reported or announced may go on. */
  private void unreachable() {
    SentinelReport last = named;
    if (last != null && last.isFailingOver()) {
      doubt = new Doubt(last.rank(), nanoTime.getAsLong());
    }
    named = null;
  }

  private void askAgain() {
    try {
      ask(sockets, Deadline.in(patience));
    } catch (EngineException e) {
      // Its earlier report no longer counts; the others decide, or the last decision stays. An
      // event
      // that caused the question stays in doubt.
      armed.clear();
    }
  }

  private SentinelReport asked(OpenSockets over, Deadline deadline) throws EngineException {
    RedisConnection connection = factory.openUnchecked(sentinel, over, deadline);
    try {
      Server now = address(connection.ask(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", master));
      Map<String, String> facts = facts(connection.ask(Command.SENTINEL, "MASTER", master));
      String configured = facts.get("ip") + ":" + facts.get("port");
      boolean failover = List.of(facts.getOrDefault("flags", "").split(",")).contains(FAILOVER);
      boolean promoted = failover && !configured.equals(now.host() + ":" + now.port());
      return new SentinelReport(
          now, Long.parseLong(facts.getOrDefault("config-epoch", "0")), failover, promoted);
    } catch (JedisException | IllegalArgumentException e) {
      throw new EngineException.NotDone(sentinel + " lost the connection: " + e.getMessage(), e);
    } finally {
      connection.cut();
    }
  }

  private Server address(Object reply) throws EngineException {
    if (reply instanceof JedisDataException error) {
      throw ServerErrors.ofLogin(String.valueOf(error.getMessage()), sentinel.toString());
    }
    if (reply instanceof List<?> parts
        && parts.size() == 2
        && parts.get(0) instanceof byte[] host
        && parts.get(1) instanceof byte[] port) {
      return new Server(text(host), Integer.parseInt(text(port)));
    }
    throw new EngineException.Refused(sentinel + " does not know it");
  }

  /** Parses alternating names and values; empty without the right to ask for them. */
  private static Map<String, String> facts(Object reply) {
    Map<String, String> facts = new HashMap<>();
    if (reply instanceof List<?> parts) {
      for (int i = 0; i + 1 < parts.size(); i += 2) {
        if (parts.get(i) instanceof byte[] key && parts.get(i + 1) instanceof byte[] value) {
          facts.put(text(key), text(value));
        }
      }
    }
    return facts;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  @Override
  public void message(String channel, String payload) {
    if (Arrays.asList(payload.split(" ")).contains(master)) {
      // Before the request, which takes a moment: the old master must not grant meanwhile.
      doubt();
      changed.run();
      askAgain();
    }
  }

  @Override
  public void armed(String channel) {
    armed.add(channel);
    if (armed.containsAll(EVENTS)) {
      askAgain();
    }
  }

  @Override
  public void lost(String channel) {
    armed.clear();
    lock.lock();
    try {
      unreachable();
    } finally {
      lock.unlock();
    }
    changed.run();
  }

  @Override
  public void refused(String why) {
    askAgain();
  }

  @Override
  public void close() {
    SubscriberThread thread = events;
    if (thread != null) {
      thread.close();
    }
    sockets.close();
  }

  /**
   * An event, or a report of a failover, without a reply since.
   *
   * @param rank of the sentinel's last report before it
   */
  private record Doubt(long rank, long since) {}

  /**
   * The report of one sentinel about the master.
   *
   * @param epoch of the sentinel's configuration; it rises with every failover
   * @param failover whether this sentinel is carrying one out
   * @param promoted whether the master is the one that this failover has promoted
   */
  record SentinelReport(Server master, long epoch, boolean failover, boolean promoted) {

    /** Larger is newer: a promoted master gets the next epoch at the end of its failover. */
    long rank() {
      return 2 * epoch + (promoted ? 1 : 0);
    }

    /** Returns whether the master is about to be replaced. */
    boolean isFailingOver() {
      return failover && !promoted;
    }
  }
}
