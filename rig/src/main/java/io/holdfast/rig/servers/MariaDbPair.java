package io.holdfast.rig.servers;

import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.List;

/**
 * A MariaDB primary and an asynchronous read-only replica. A proxy between them can drop what is
 * replicated. Nobody promotes the replica but {@link #failover} and {@link #promote}.
 *
 * <p>For one thread.
 */
public final class MariaDbPair implements AutoCloseable {
  private static final Duration SYNC = Duration.ofSeconds(30);

  private final MariaDbServer primary;
  private final FaultProxy stream;
  private final MariaDbServer standby;

  private MariaDbPair(MariaDbServer primary, FaultProxy stream, MariaDbServer standby) {
    this.primary = primary;
    this.stream = stream;
    this.standby = standby;
  }

  /** Starts both; returns when the replica has caught up. */
  public static MariaDbPair start() {
    MariaDbServer primary =
        MariaDbServer.start("--server-id=1", "--log-bin=log", "--max-connections=300");
    FaultProxy stream = FaultProxy.to(primary.process());
    try {
      MariaDbServer standby =
          MariaDbServer.start("--server-id=2", "--read-only", "--max-connections=300");
      return new MariaDbPair(primary, stream, standby).following();
    } catch (RuntimeException | AssertionError e) {
      stream.close();
      primary.close();
      throw e;
    }
  }

  private MariaDbPair following() {
    try {
      // From the first transaction on: both began with the same data.
      standby.sql(
          """
          CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = %d, MASTER_USER = '%s',
            MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1;
          START SLAVE;
          """
              .formatted(stream.port(), primary.user()));
      awaitInSync();
      return this;
    } catch (RuntimeException | AssertionError e) {
      standby.close();
      throw e;
    }
  }

  /** The server that was the primary first. */
  public MariaDbServer primary() {
    return primary;
  }

  /** The server that was the replica first. */
  public MariaDbServer standby() {
    return standby;
  }

  /** Both, the first primary first. */
  public List<MariaDbServer> servers() {
    return List.of(primary, standby);
  }

  /**
   * Both servers in one address, of which the driver takes the first that it can connect to: {@code
   * jdbc:mariadb:sequential://127.0.0.1:p1,127.0.0.1:p2/database}.
   */
  public String jdbcUri(String database) {
    return "jdbc:mariadb:sequential://127.0.0.1:%d,127.0.0.1:%d/%s"
        .formatted(primary.port(), standby.port(), database);
  }

  /** Returns when the replica has all that the primary had committed at the time of the call. */
  public void awaitInSync() {
    String position = primary.sql("SELECT @@gtid_binlog_pos");
    Await.until(
        standby + " in sync with " + primary,
        SYNC,
        () -> standby.sql("SELECT MASTER_GTID_WAIT('" + position + "', 1)").equals("0"));
  }

  /**
   * From now on nothing that the primary commits reaches the replica, and neither side notices:
   * {@link #failover} forgets it. All that was committed before is there. Until {@link
   * #healReplication}.
   */
  public void loseReplication() {
    awaitInSync();
    stream.passOnly(Direction.REQUESTS);
  }

  /** Lets the replica catch up after {@link #loseReplication}; returns when it has. */
  public void healReplication() {
    stream.heal();
    // What the primary sent meanwhile is gone from the stream: the replica must ask for it again.
    standby.sql("STOP SLAVE; START SLAVE");
    awaitInSync();
  }

  /** Makes the replica a primary, whatever the first one does; returns when it takes writes. */
  public MariaDbServer promote() {
    standby.sql("STOP SLAVE; RESET SLAVE ALL; SET GLOBAL read_only = 0");
    return standby;
  }

  /** Kills the primary and promotes the replica; returns it when it takes writes. */
  public MariaDbServer failover() {
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
