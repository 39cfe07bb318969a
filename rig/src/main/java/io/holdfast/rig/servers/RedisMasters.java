package io.holdfast.rig.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Redis servers that know nothing of each other, as Redlock wants them. */
public final class RedisMasters implements AutoCloseable {
  private static final int USUAL = 5;

  private final List<RedisServer> servers;

  private RedisMasters(List<RedisServer> servers) {
    this.servers = List.copyOf(servers);
  }

  /** Five of them. */
  public static RedisMasters start() {
    return start(USUAL);
  }

  /** So many of them, which keep nothing over a restart. */
  public static RedisMasters start(int count) {
    return start(count, RedisServerOptions.PLAIN);
  }

  /** So many of them with the same options; if one does not start, none is left. */
  public static RedisMasters start(int count, RedisServerOptions options) {
    List<RedisServer> started = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        started.add(RedisServer.start(options));
      }
      return new RedisMasters(started);
    } catch (RuntimeException | AssertionError e) {
      started.forEach(RedisServer::close);
      throw e;
    }
  }

  /** All of them, in the order of their indexes. */
  public List<RedisServer> servers() {
    return servers;
  }

  /** The one with this index, from 0. */
  public RedisServer server(int index) {
    return servers.get(index);
  }

  /** The addresses as one list: {@code 127.0.0.1:p1,127.0.0.1:p2,…}. */
  public String addresses() {
    return servers.stream()
        .map(server -> "127.0.0.1:" + server.port())
        .collect(Collectors.joining(","));
  }

  /** Ends one by SIGKILL. */
  public void kill9(int index) {
    server(index).process().kill9();
  }

  /** Starts one again on its port, with its data if it is durable. */
  public void restart(int index) {
    server(index).process().restart();
  }

  /** Kills one and starts it again on its port, without data. */
  public void restartEmpty(int index) {
    server(index).restartEmpty();
  }

  /** Stops one by SIGSTOP: it accepts connections and never replies. */
  public void pause(int index) {
    server(index).process().pause();
  }

  /** Lets one go on after {@link #pause}. */
  public void resume(int index) {
    server(index).process().resume();
  }

  /** Stops all of them and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    servers.forEach(RedisServer::close);
  }
}
