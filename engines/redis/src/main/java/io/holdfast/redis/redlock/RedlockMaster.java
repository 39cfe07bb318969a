package io.holdfast.redis.redlock;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.connection.ConnectionFactory;
import io.holdfast.redis.connection.Deadline;
import io.holdfast.redis.connection.OpenSockets;
import io.holdfast.redis.connection.PendingCall;
import io.holdfast.redis.connection.RedisConnection;
import io.holdfast.redis.connection.Replicas;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.redis.connection.ServerErrors;
import io.holdfast.redis.connection.ServerInfo;
import io.holdfast.redis.connection.Trip;
import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One master, shared by all lanes: whether it is reachable, and its deferred calls.
 *
 * <p>Connections are opened in the background, never on a lane.
 */
final class RedlockMaster {

  /** Where an operator declares that a process has forgotten nothing; the value is its run id. */
  static final String VOUCHED = "{hf:redlock}:new";

  private static final byte[] LOAD = "LOAD".getBytes(StandardCharsets.US_ASCII);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Server server;
  private final ConnectionFactory factory;
  private final List<Script> scripts;
  private final RedlockMasters.Times times;
  private final ScheduledExecutorService background;
  private final OpenSockets sockets;
  private final DeferredCalls deferred = new DeferredCalls();
  private final AtomicBoolean sending = new AtomicBoolean();
  private final AtomicBoolean delivering = new AtomicBoolean();
  private volatile @Nullable EngineException trouble;
  private volatile boolean overdue;
  private volatile long retryAt = System.nanoTime();
  private volatile long pause = FIRST_PAUSE_NANOS;
  private volatile long sendPause = FIRST_PAUSE_NANOS;

  RedlockMaster(
      Server server,
      ConnectionFactory factory,
      List<Script> scripts,
      RedlockMasters.Times times,
      ScheduledExecutorService background,
      OpenSockets sockets) {
    this.server = server;
    this.factory = factory;
    this.scripts = scripts;
    this.times = times;
    this.background = background;
    this.sockets = sockets;
  }

  Server server() {
    return server;
  }

  /** Returns why it was not reached or did not reply last, or null. */
  @Nullable EngineException trouble() {
    return trouble;
  }

  /** A lane has waited for a connection and did not get one. */
  void overdue() {
    overdue = true;
  }

  /** Returns whether lanes should not wait for connections, until one has been opened. */
  boolean isOverdue() {
    return overdue;
  }

  /** Returns whether it is time to connect. */
  boolean mayConnect() {
    return trouble == null || retryAt - System.nanoTime() <= 0;
  }

  /** It was not reached, or did not reply in time. */
  void failed(EngineException why) {
    trouble = why;
    retryAt = System.nanoTime() + pause;
    pause = Math.min(LONGEST_PAUSE_NANOS, pause * 2);
  }

  /**
   * Begins to connect in the background.
   *
   * @param then run when it has succeeded or failed
   */
  CompletableFuture<VotingConnection> connect(OpenSockets over, Runnable then) {
    // One lane tries for all: the others wait for the next turn.
    retryAt = System.nanoTime() + pause;
    CompletableFuture<VotingConnection> voter = new CompletableFuture<>();
    try {
      background.execute(
          () -> {
            connect(over, voter);
            then.run();
          });
    } catch (RejectedExecutionException e) {
      voter.completeExceptionally(new EngineException.NotDone("the engine is closed", e));
    }
    return voter;
  }

  private void connect(OpenSockets over, CompletableFuture<VotingConnection> voter) {
    try {
      VotingConnection open = open(over);
      if (!voter.complete(open)) {
        open.connection().cut();
      }
    } catch (EngineException e) {
      failed(over, e, voter);
    } catch (RuntimeException e) {
      failed(over, new EngineException.NotDone("no connection to " + server, e), voter);
    }
  }

  private void failed(
      OpenSockets over, EngineException why, CompletableFuture<VotingConnection> voter) {
    if (!over.isClosed()) {
      failed(why);
    }
    voter.completeExceptionally(why);
  }

  private VotingConnection open(OpenSockets over) throws EngineException {
    RedisConnection connection = factory.open(server, over, Deadline.in(times.connect()));
    boolean done = false;
    try {
      VotingConnection voter = look(connection);
      teach(connection);
      sendDeferred(connection);
      trouble = null;
      overdue = false;
      pause = FIRST_PAUSE_NANOS;
      done = true;
      return voter;
    } catch (JedisException e) {
      throw new EngineException.NotDone(server + " " + times.silence(e), e);
    } finally {
      if (!done) {
        connection.cut();
      }
    }
  }

  /** Finds out since when it runs. A master that is too slow to reply is of no use. */
  private VotingConnection look(RedisConnection connection) throws EngineException {
    connection.deadline(Deadline.in(times.node()));
    connection.sendCommand(Command.INFO, "server");
    connection.sendCommand(Command.GET, VOUCHED);
    connection.push();
    Object info = connection.receive();
    Object vouched = connection.receive();
    if (!(info instanceof byte[] text)) {
      throw new EngineException.Refused(
          server + " does not report how long it has run: give the user the right to INFO");
    }
    ServerInfo facts = ServerInfo.parse(new String(text, StandardCharsets.UTF_8));
    boolean known =
        vouched instanceof byte[] id
            && facts.runId().equals(new String(id, StandardCharsets.US_ASCII));
    Duration uptime = Duration.ofSeconds(Long.parseLong("0" + facts.value("uptime_in_seconds")));
    return VotingConnection.of(connection, uptime, known ? Duration.ZERO : times.delay());
  }

  /**
   * Loads the scripts, so that no round runs twice; without the right to, they are sent in full
   * later.
   */
  private void teach(RedisConnection connection) {
    connection.deadline(Deadline.in(times.connect()));
    for (Script script : scripts) {
      connection.sendCommand(Command.SCRIPT, LOAD, script.source());
    }
    connection.push();
    for (int i = 0; i < scripts.size(); i++) {
      connection.receive();
    }
  }

  /** Records that this very process has forgotten nothing. */
  void vouch() throws EngineException {
    RedisConnection connection = factory.open(server, sockets, Deadline.in(times.connect()));
    try {
      Object said =
          connection.ask(
              Command.SET, VOUCHED, new String(connection.runId(), StandardCharsets.US_ASCII));
      if (said instanceof JedisDataException error) {
        throw ServerErrors.of(String.valueOf(error.getMessage()), "init", server.toString());
      }
    } catch (JedisException e) {
      throw new EngineException.Unknown(server + " " + times.silence(e), e);
    } finally {
      connection.cut();
    }
  }

  /** Sends a call as soon as the master can be reached, repeatedly until then. */
  void defer(String about, ScriptCall call) {
    deferred.add(about, call);
    sendLater();
  }

  int deferred() {
    return deferred.size();
  }

  private void sendLater() {
    if (!sending.compareAndSet(false, true)) {
      return;
    }
    try {
      long delay = Math.max(pause, sendPause);
      var unused = background.schedule(this::sendNow, delay, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Closed: what is deferred ends with its lease.
      sending.set(true);
    }
  }

  private void sendNow() {
    try {
      if (deferred.size() > 0) {
        open(sockets).connection().cut();
      }
    } catch (EngineException e) {
      failed(e);
    } finally {
      // A master that refuses is asked less and less often, as an unreachable one is.
      sendPause =
          deferred.size() == 0 ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, 2 * sendPause);
      sending.set(false);
    }
    if (deferred.size() > 0) {
      sendLater();
    }
  }

  /**
   * Sends the deferred calls. Only executed ones are removed: the master may reply with an error,
   * for lack of memory, disk or rights, and execute them another time.
   */
  private void sendDeferred(RedisConnection connection) {
    Map<String, ScriptCall> all = deferred.all();
    if (all.isEmpty() || !delivering.compareAndSet(false, true)) {
      return;
    }
    try {
      List<PendingCall> pendingCalls = PendingCall.of(List.copyOf(all.values()));
      connection.deadline(Deadline.in(times.connect()));
      boolean unused =
          PendingCall.run(pendingCalls, open -> Trip.run(connection, Replicas.NONE, open));
      Iterator<ScriptReply> replies = PendingCall.replies(pendingCalls).iterator();
      all.forEach(
          (about, call) -> {
            if (replies.next() instanceof ScriptReply.Value) {
              deferred.done(about, call);
            }
          });
    } finally {
      delivering.set(false);
    }
  }
}
