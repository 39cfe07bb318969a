package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** A Redis server of the machine's own {@code redis-server}, on a free loopback port. */
public final class RedisServer implements AutoCloseable {
  private static final Duration CALL = Duration.ofSeconds(2);
  private static final Duration SYNC = Duration.ofSeconds(20);

  private final ServerProcess process;
  private final RedisAccess access;

  private RedisServer(ServerProcess process, RedisAccess access) {
    this.process = process;
    this.access = access;
  }

  /**
   * Starts a server that keeps nothing over a restart, and returns when it accepts requests.
   *
   * @param options more of redis-server's own, such as {@code "--maxmemory", "2mb"}; they win
   * @throws IllegalStateException as {@link ServerProcess#start}
   */
  public static RedisServer start(String... options) {
    return start(RedisServerOptions.PLAIN.with(options));
  }

  /** As {@link #start}, but every acknowledged write is on disk: it survives a restart. */
  public static RedisServer startDurable(String... options) {
    return start(RedisServerOptions.PLAIN.durable().with(options));
  }

  /** Starts a server with these options, and returns when it accepts requests. */
  public static RedisServer start(RedisServerOptions options) {
    return start(options.spec(), options.access());
  }

  /** Starts a server by a changed {@link #spec}. */
  public static RedisServer start(ServerSpec spec) {
    return start(spec, RedisAccess.OPEN);
  }

  static RedisServer start(ServerSpec spec, RedisAccess access) {
    return new RedisServer(ServerProcess.start(spec), access);
  }

  /** What the starts above use; for another user or other variables. */
  public static ServerSpec spec(String... options) {
    return RedisServerOptions.PLAIN.with(options).spec();
  }

  /** The process: to kill, pause, stop and start it again. */
  public ServerProcess process() {
    return process;
  }

  /** The port that clients connect to. */
  public int port() {
    return process.port();
  }

  /**
   * The address as clients write it: {@code redis://127.0.0.1:port}, with TLS {@code rediss:}. A
   * password is not in it.
   */
  public String uri() {
    return (access.certificates().isPresent() ? "rediss" : "redis") + "://127.0.0.1:" + port();
  }

  /**
   * Runs one command over a connection of its own, bounded to 2 s, and returns the reply as text:
   * strings and numbers as they are, the items of an array one a line, {@code (nil)} for nothing.
   *
   * @throws UncheckedIOException when there is no reply, or the reply is an error
   */
  public String call(String... command) {
    try {
      return RespExchange.call(process.address(), CALL, access, command);
    } catch (IOException e) {
      throw new UncheckedIOException(process + ": " + List.of(command), e);
    }
  }

  /** A connection of the default user, on which every reply is bounded to 2 s. */
  public RespConnection connect() throws IOException {
    return RespConnection.open(process.address(), CALL, access);
  }

  /**
   * One value of INFO, such as {@code "connected_clients"}.
   *
   * @throws IllegalStateException when INFO has no such field
   */
  public String info(String field) {
    String prefix = field + ":";
    return call("INFO", "everything")
        .lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()).strip())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + field + " in INFO of " + process));
  }

  /** What is new with every start of a server. */
  public String runId() {
    return info("run_id");
  }

  /** {@code master} or {@code slave}. */
  public String role() {
    return info("role");
  }

  /** Makes it a replica of another server from now on; a restart forgets it. */
  public void replicate(RedisServer master) {
    call("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
  }

  /** Returns when this replica has all that the master had at the time of the call. */
  public void awaitInSync(RedisServer master) {
    long offset = Long.parseLong(master.info("master_repl_offset"));
    Await.until(
        this + " in sync with " + master,
        SYNC,
        () ->
            info("master_link_status").equals("up")
                // Looked at each time, because a master changes its own with its first replica.
                && info("master_replid").equals(master.info("master_replid"))
                && Long.parseLong(info("slave_repl_offset")) >= offset);
  }

  /** Kills it and starts it again on the same port, without its data even if it is durable. */
  public void restartEmpty() {
    process.kill9();
    RedisFiles.deleteData(process.folder());
    process.restart();
  }

  /**
   * Starts it again on the same port as a replica of another server: it is never a master in
   * between. Only this start: a later one is by its options again.
   */
  public void restartAsReplicaOf(RedisServer master) {
    RedisFiles.putNextMaster(process.folder(), master);
    try {
      process.restart();
    } finally {
      RedisFiles.forgetNextMaster(process.folder());
    }
  }

  /** Stops it and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    process.close();
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
