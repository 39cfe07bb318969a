package io.holdfast.zookeeper.admin;

import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperOptions;
import io.holdfast.zookeeper.connection.ClientFactory;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.session.SessionOpening;
import io.holdfast.zookeeper.session.Sessions;
import org.apache.zookeeper.ZooKeeper;

/** A client that only sweeps, when a test calls it. */
final class SweepingClient implements AutoCloseable {

  final Sessions sessions;
  final Sweeper sweeper;

  /**
   * A client.
   *
   * @param everyMillis how often it sweeps
   */
  SweepingClient(String uri, long everyMillis) {
    Settings settings = Engines.settings();
    ZooKeeperOptions options = ZooKeeperOptions.of(uri);
    Paths paths = Paths.in(options.chroot());
    StoreErrors errors = new StoreErrors(options.address());
    ClientFactory clients =
        ClientFactory.newClients(
            EngineInternals.clientSettings(options), (int) settings.lease().toMillis());
    SessionOpening opening = new SessionOpening(paths, clients.acl(), errors, settings);
    long patience = settings.operationTimeout().toNanos();
    sessions = new Sessions(clients, opening, errors, settings.nanoTime(), patience);
    sweeper = new Sweeper(sessions, paths, settings.nanoTime(), everyMillis);
  }

  ZooKeeper client() throws Exception {
    return sessions.require().connection().client();
  }

  @Override
  public void close() {
    sessions.close();
  }
}
