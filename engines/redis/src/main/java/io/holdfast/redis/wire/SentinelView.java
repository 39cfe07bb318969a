package io.holdfast.redis.wire;

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
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One sentinel and what it last said. It is asked when a client connects and after each event of a
 * failover. Without the right to subscribe it is asked again every two seconds.
 */
final class SentinelView implements SignalListener, AutoCloseable {

  /** The first one comes before the replica is promoted, the second one after. */
  private static final List<String> EVENTS =
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
  private static final String FAILOVER = "failover_in_progress";

  private final Server sentinel;
  private final String master;
  private final Dialer dialer;
  private final Duration patience;
  private final Runnable changed;
  private final Sockets sockets = new Sockets();
  private final Set<String> armed = new HashSet<>();

  /** Held while it is asked, so that an older reply never replaces a newer one. */
  private final ReentrantLock asking = new ReentrantLock();

  private volatile @Nullable Named named;
  private volatile @Nullable Long failedAt;
  private volatile boolean doubtful;
  private volatile @Nullable SubscriberThread events;

  /**
   * A view.
   *
   * @param patience how long the sentinel may take to reply
   * @param changed told after each reply and each failure
   */
  SentinelView(Server sentinel, String master, Dialer dialer, Duration patience, Runnable changed) {
    this.sentinel = sentinel;
    this.master = master;
    this.dialer = dialer;
    this.patience = patience;
    this.changed = changed;
  }

  /** What it said last, or null when it cannot be reached. */
  @Nullable Named named() {
    return named;
  }

  /** Whether it did not reply a moment ago. */
  boolean isSilent() {
    Long failed = failedAt;
    return failed != null && System.nanoTime() - failed < SILENT_NANOS;
  }

  /** Whether it is replacing the master, as far as it knows as much as the newest one. */
  boolean isFailingOver(long newest) {
    Named last = named;
    return last != null && last.rank() >= newest && (doubtful || last.isFailingOver());
  }

  void follow() {
    SubscriberThread thread =
        SubscriberThread.start(
            sentinel.toString(),
            new Listening(
                Listening.Style.PLAIN,
                own -> dialer.plain(sentinel, own, Deadline.in(patience)),
                Duration.ofSeconds(1),
                this,
                WITHOUT));
    events = thread;
    EVENTS.forEach(thread::add);
  }

  /** Asks for the master. */
  void ask(Sockets over, Deadline deadline) throws EngineException {
    asking.lock();
    try {
      boolean done = false;
      try {
        named = asked(over, deadline.orIn(patience));
        done = true;
      } finally {
        doubtful = false;
        failedAt = done ? null : (Long) System.nanoTime();
        if (!done) {
          named = null;
        }
        changed.run();
      }
    } finally {
      asking.unlock();
    }
  }

  private void askAgain() {
    try {
      ask(sockets, Deadline.in(patience));
    } catch (EngineException e) {
      // What it said before counts no more; the others decide, or the last word stays.
      armed.clear();
    }
  }

  private Named asked(Sockets over, Deadline deadline) throws EngineException {
    Link link = dialer.plain(sentinel, over, deadline);
    try {
      Server now = address(link.ask(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", master));
      Map<String, String> facts = facts(link.ask(Command.SENTINEL, "MASTER", master));
      String configured = facts.get("ip") + ":" + facts.get("port");
      boolean failover = List.of(facts.getOrDefault("flags", "").split(",")).contains(FAILOVER);
      boolean promoted = failover && !configured.equals(now.host() + ":" + now.port());
      return new Named(
          now, Long.parseLong(facts.getOrDefault("config-epoch", "0")), failover, promoted);
    } catch (JedisException | IllegalArgumentException e) {
      throw new EngineException.NotDone(sentinel + " broke off: " + e.getMessage(), e);
    } finally {
      link.cut();
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

  /** Names and values in turn; nothing without the right to ask for them. */
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
      // Before it is asked, which takes a moment: nothing new of the old master meanwhile.
      doubtful = true;
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

  /** A sentinel that cannot be reached does not decide, and cannot hold up others. */
  @Override
  public void lost(String channel) {
    armed.clear();
    named = null;
    doubtful = false;
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
}
