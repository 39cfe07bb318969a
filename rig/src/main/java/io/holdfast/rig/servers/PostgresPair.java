package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import java.time.Duration;
import java.util.List;

/**
 * A PostgreSQL primary and an asynchronous hot standby. A proxy between them can drop what is
 * streamed. Nobody promotes the standby but {@link #failover} and {@link #promote}.
 *
 * <p>For one thread.
 */
public final class PostgresPair implements AutoCloseable {
  private static final Duration COPYING = Duration.ofSeconds(60);

  private final PostgresServer primary;
  private final FaultProxy stream;
  private final PostgresServer standby;

  private PostgresPair(PostgresServer primary, FaultProxy stream, PostgresServer standby) {
    this.primary = primary;
    this.stream = stream;
    this.standby = standby;
  }

  /** Starts both; returns when the standby has caught up and takes reading connections. */
  public static PostgresPair start() {
    return start(PostgresServerOptions.PLAIN);
  }

  /**
   * As {@link #start()}.
   *
   * @param options of both servers; not with a fixed port
   */
  public static PostgresPair start(PostgresServerOptions options) {
    // Otherwise a standby that lost its primary would not look for it again for 5 s.
    PostgresServerOptions restless = options.with("wal_retrieve_retry_interval", "100ms");
    PostgresServer primary = PostgresServer.start(options);
    FaultProxy stream = FaultProxy.to(primary.process());
    try {
      PostgresServer standby =
          PostgresServer.start(restless.spec(place -> copy(stream.port(), place)));
      return new PostgresPair(primary, stream, standby).inSync();
    } catch (RuntimeException | AssertionError e) {
      stream.close();
      primary.close();
      throw e;
    }
  }

  private PostgresPair inSync() {
    try {
      standby.awaitInSync(primary);
      return this;
    } catch (RuntimeException | AssertionError e) {
      standby.close();
      throw e;
    }
  }

  private static void copy(int port, ServerLocation place) {
    String data = PostgresFiles.data(place).toString();
    place.run(
        COPYING,
        PostgresPrograms.client(
            "pg_basebackup",
            port,
            "--no-password",
            "--pgdata=" + data,
            "--write-recovery-conf",
            "--wal-method=stream",
            "--checkpoint=fast",
            "--no-sync"));
  }

  /** The server that was the primary first. */
  public PostgresServer primary() {
    return primary;
  }

  /** The server that was the standby first. */
  public PostgresServer standby() {
    return standby;
  }

  /** Both, the first primary first. */
  public List<PostgresServer> servers() {
    return List.of(primary, standby);
  }

  /** The superuser of both. */
  public String user() {
    return primary.user();
  }

  /**
   * Both servers in one address, of which the driver takes the primary: {@code
   * jdbc:postgresql://127.0.0.1:p1,127.0.0.1:p2/database?targetServerType=primary}.
   */
  public String jdbcUri(String database) {
    return "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/%s?targetServerType=primary"
        .formatted(primary.port(), standby.port(), database);
  }

  /**
   * From now on nothing that the primary commits reaches the standby, and neither side notices:
   * {@link #failover} forgets it. All that was committed before is there. The standby's own
   * messages pass, so that the primary takes it for connected. Until {@link #healReplication}.
   */
  public void loseReplication() {
    standby.awaitInSync(primary);
    stream.passOnly(Direction.REQUESTS);
  }

  /** Lets the standby catch up after {@link #loseReplication}; returns when it has. */
  public void healReplication() {
    stream.heal();
    standby.awaitInSync(primary);
  }

  /** Makes the standby a primary, whatever the first one does; returns when it takes writes. */
  public PostgresServer promote() {
    standby.promote();
    return standby;
  }

  /** Kills the primary and promotes the standby; returns it when it takes writes. */
  public PostgresServer failover() {
    primary.process().kill9();
    return promote();
  }

  /** Stops all of it and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    standby.close();
    stream.close();
    primary.close();
  }
}
