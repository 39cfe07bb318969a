package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Servers that know nothing of each other and are asked together. Any thread may use it. At most
 * one background thread a server, and none while there is nothing to connect.
 */
public final class Members implements AutoCloseable {

  private static final long IDLE_SECONDS = 5;

  /**
   * How long things may take.
   *
   * @param node what all servers together have for one round
   * @param delay how long a server must have run before its word counts for new grants
   */
  record Times(Duration connect, Duration node, Duration delay) {

    /** What became of a connection, for people. */
    String silence(@Nullable Throwable why) {
      for (Throwable e = why; e != null; e = e.getCause()) {
        if (e instanceof SocketTimeoutException) {
          return "gave no answer within " + node.toMillis() + " ms";
        }
      }
      return "broke off: " + (why == null ? "" : why.getMessage());
    }
  }

  private final List<Member> all = new ArrayList<>();
  private final Times times;
  private final Sockets sockets = new Sockets();
  private final ScheduledThreadPoolExecutor background;

  Members(List<Server> servers, Dialer dialer, List<Script> scripts, Times times) {
    this.times = times;
    background = new ScheduledThreadPoolExecutor(servers.size(), Members::daemon);
    background.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    background.allowCoreThreadTimeOut(true);
    background.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    for (Server server : servers) {
      all.add(new Member(server, dialer, scripts, times, background, sockets));
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "holdfast-redlock-dial");
    thread.setDaemon(true);
    return thread;
  }

  /** How many there are. */
  public int size() {
    return all.size();
  }

  /** More than half of them. */
  public int majority() {
    return all.size() / 2 + 1;
  }

  /** Opens the connections of one lane, all at once; does not wait for any of them. */
  public MembersWire connect() {
    return new MembersWire(all, times, majority());
  }

  /**
   * Tells a server this as soon as it can be reached, again and again until then.
   *
   * @param about whose matter it is; a later word on the same replaces this one
   */
  public void owe(int member, String about, Call call) {
    all.get(member).owe(about, call);
  }

  /** How much all of them together must still be told. */
  public int owed() {
    return all.stream().mapToInt(Member::owes).sum();
  }

  /** What is wrong with those that did not answer last, each in a sentence. */
  public List<String> troubles() {
    List<String> troubles = new ArrayList<>();
    for (Member member : all) {
      EngineException trouble = member.trouble();
      if (trouble != null) {
        troubles.add(String.valueOf(trouble.getMessage()));
      }
    }
    return troubles;
  }

  /** Writes down at each that its process has forgotten nothing. Blocks for I/O. */
  public void vouch() throws EngineException {
    for (Member member : all) {
      member.vouch();
    }
  }

  @Override
  public void close() {
    background.shutdownNow();
    sockets.close();
  }
}
