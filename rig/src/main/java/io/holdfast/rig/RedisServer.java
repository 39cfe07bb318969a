package io.holdfast.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A Redis server of the machine's own {@code redis-server}, on a free loopback port. */
public final class RedisServer implements AutoCloseable {
  private static final Program REDIS = Program.of("redis-server", "redis-server");
  private static final Duration CALL = Duration.ofSeconds(2);
  private static final Duration PROBE = Duration.ofMillis(300);

  private final ServerProcess process;

  private RedisServer(ServerProcess process) {
    this.process = process;
  }

  /**
   * Starts a server that keeps nothing over a restart, and returns when it answers.
   *
   * @param options more of redis-server's own, such as {@code "--maxmemory", "2mb"}; they win
   * @throws IllegalStateException as {@link ServerProcess#start}
   */
  public static RedisServer start(String... options) {
    return start(spec(options));
  }

  /** As {@link #start}, but every acknowledged write is on disk: it survives a restart. */
  public static RedisServer startDurable(String... options) {
    List<String> all = new ArrayList<>(List.of("--appendonly", "yes", "--appendfsync", "always"));
    all.addAll(List.of(options));
    return start(all.toArray(String[]::new));
  }

  /** Starts a server by a changed {@link #spec}. */
  public static RedisServer start(ServerSpec spec) {
    return new RedisServer(ServerProcess.start(spec));
  }

  /** What the starts above use; for a fixed port, another user or other variables. */
  public static ServerSpec spec(String... options) {
    List<String> more = List.of(options);
    return ServerSpec.of("redis", place -> command(place, more), RedisServer::isReady);
  }

  /** The process: to kill, pause, stop and start it again. */
  public ServerProcess process() {
    return process;
  }

  /** The port that clients connect to. */
  public int port() {
    return process.port();
  }

  /** The address as clients write it: {@code redis://127.0.0.1:port}. */
  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  /**
   * Runs one command over a connection of its own, bounded to 2 s, and answers the reply as text:
   * strings and numbers as they are, the items of an array one a line, {@code (nil)} for nothing.
   *
   * @throws UncheckedIOException when there is no reply, or the reply is an error
   */
  public String call(String... command) {
    try {
      return RespExchange.call(process.address(), CALL, command);
    } catch (IOException e) {
      throw new UncheckedIOException(process + ": " + List.of(command), e);
    }
  }

  /** Stops it and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    process.close();
  }

  private static List<String> command(Place place, List<String> options) {
    List<String> command = new ArrayList<>(List.of(REDIS.find().toString()));
    command.addAll(List.of("--port", Integer.toString(place.port()), "--bind", "127.0.0.1"));
    command.addAll(List.of("--dir", place.folder().toString(), "--daemonize", "no"));
    command.addAll(List.of("--save", "", "--appendonly", "no"));
    command.addAll(options);
    return command;
  }

  private static boolean isReady(Place place, long pid) throws IOException {
    return RespExchange.call(place.address(), PROBE, "PING").equals("PONG")
        && RespExchange.call(place.address(), PROBE, "INFO", "server")
            .lines()
            .anyMatch(("process_id:" + pid)::equals);
  }
}
