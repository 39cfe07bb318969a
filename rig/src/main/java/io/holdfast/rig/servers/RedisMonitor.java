package io.holdfast.rig.servers;

import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Records every command that a Redis server runs, by MONITOR. Those of {@link RedisServer#call} are
 * included. It slows the server down: not for measuring.
 *
 * <p>May be used by several threads. One daemon thread, gone after {@link #close}.
 */
public final class RedisMonitor implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(5);

  private final RedisServer server;
  private final RespConnection connection;
  private final Thread thread;
  private final List<MonitoredCommand> seen = new CopyOnWriteArrayList<>();

  private RedisMonitor(RedisServer server, RespConnection connection) {
    this.server = server;
    this.connection = connection;
    this.thread = new Thread(this::record, "rig-monitor-" + server.port());
    thread.setDaemon(true);
  }

  /** Records from when it returns until close, or until the server ends. */
  public static RedisMonitor of(RedisServer server) {
    try {
      RespConnection connection = server.connect();
      connection.call("MONITOR");
      connection.setTimeout(Duration.ZERO);
      RedisMonitor monitor = new RedisMonitor(server, connection);
      monitor.thread.start();
      return monitor;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All commands that the server ran before this call, in their order, but not the rig's marks. */
  public List<MonitoredCommand> commands() {
    String mark = "rig-mark-" + UUID.randomUUID();
    server.call("ECHO", mark);
    await("the mark", BOUND, command -> command.words().contains(mark));
    return seen.stream().filter(command -> !isMark(command)).toList();
  }

  /** Returns the first command that matches, seen already or within the bound. */
  public MonitoredCommand await(
      String what, Duration bound, Predicate<? super MonitoredCommand> like) {
    return Await.value(what, bound, () -> first(like));
  }

  /** Forgets what it has seen. */
  public void clear() {
    seen.clear();
  }

  /** Ends the recording; idempotent. */
  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Await.until("the end of " + thread.getName(), BOUND, () -> !thread.isAlive());
  }

  private Optional<MonitoredCommand> first(Predicate<? super MonitoredCommand> like) {
    for (MonitoredCommand command : seen) {
      if (like.test(command)) {
        return Optional.of(command);
      }
    }
    return Optional.empty();
  }

  private static boolean isMark(MonitoredCommand command) {
    return command.name().equals("ECHO") && command.words().get(1).startsWith("rig-mark-");
  }

  private void record() {
    try {
      while (true) {
        seen.add(MonitoredCommand.parse(connection.next()));
      }
    } catch (IOException e) {
      // Closed, or the server is gone: what was seen stays.
    }
  }
}
