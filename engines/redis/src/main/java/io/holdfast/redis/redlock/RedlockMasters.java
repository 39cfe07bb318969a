package io.holdfast.redis.redlock;

import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.connection.ConnectionFactory;
import io.holdfast.redis.connection.OpenSockets;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ServerCheck;
import io.holdfast.spi.EngineException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The independent masters that vote together. Thread-safe.
 *
 * <p>Uses at most one background thread a master, and none while there is nothing to connect.
 */
public final class RedlockMasters implements AutoCloseable {

  private static final long IDLE_SECONDS = 5;

  /**
   * How long things may take.
   *
   * @param node what all masters together have for one round
   * @param delay how long a master must have run before it votes for new grants
   */
  record Times(Duration connect, Duration node, Duration delay) {

    /** Describes why there was no reply. */
    String silence(@Nullable Throwable why) {
      for (Throwable e = why; e != null; e = e.getCause()) {
        if (e instanceof SocketTimeoutException) {
          return "did not reply within " + node.toMillis() + " ms";
        }
      }
      return "lost the connection: " + (why == null ? "" : why.getMessage());
    }
  }

  private final List<RedlockMaster> all = new ArrayList<>();
  private final Times times;
  private final OpenSockets sockets = new OpenSockets();
  private final ScheduledThreadPoolExecutor background;

  /**
   * Opens the masters; they need not be up.
   *
   * @param scripts what they will be asked to run
   * @param delay how long a master must have run before it votes for new grants
   */
  public static RedlockMasters open(
      RedisOptions options, List<Script> scripts, Duration delay, ServerCheck check) {
    return new RedlockMasters(
        options.servers(),
        ConnectionFactory.of(options, options.login(), options.database(), check),
        scripts,
        new Times(options.connectTimeout(), options.nodeTimeout(), delay));
  }

  private RedlockMasters(
      List<Server> servers, ConnectionFactory factory, List<Script> scripts, Times times) {
    this.times = times;
    background = new ScheduledThreadPoolExecutor(servers.size(), RedlockMasters::daemon);
    background.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    background.allowCoreThreadTimeOut(true);
    background.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    for (Server server : servers) {
      all.add(new RedlockMaster(server, factory, scripts, times, background, sockets));
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "holdfast-redlock-dial");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns how many masters there are. */
  public int size() {
    return all.size();
  }

  /** Returns how many are more than half of them. */
  public int majority() {
    return all.size() / 2 + 1;
  }

  /** Opens the connections of one lane, all at once; does not wait for any of them. */
  public RedlockConnections connect() {
    return new RedlockConnections(all, times, majority());
  }

  /**
   * Sends a call to a master as soon as it can be reached, repeatedly until then.
   *
   * @param about the ticket that the call is about; a later call for it replaces this one
   */
  public void defer(int master, String about, ScriptCall call) {
    all.get(master).defer(about, call);
  }

  /** Returns how many calls are deferred, at all masters together. */
  public int deferred() {
    return all.stream().mapToInt(RedlockMaster::deferred).sum();
  }

  /** Returns what is wrong with masters that did not reply last, a sentence each. */
  public List<String> troubles() {
    List<String> troubles = new ArrayList<>();
    for (RedlockMaster master : all) {
      EngineException trouble = master.trouble();
      if (trouble != null) {
        troubles.add(String.valueOf(trouble.getMessage()));
      }
    }
    return troubles;
  }

  /** Records at each that its process has forgotten nothing. Blocks for I/O. */
  public void vouch() throws EngineException {
    for (RedlockMaster master : all) {
      master.vouch();
    }
  }

  @Override
  public void close() {
    background.shutdownNow();
    sockets.close();
  }
}
