package io.holdfast.zookeeper;

import io.holdfast.spi.EngineProvider.Settings;
import org.apache.zookeeper.ZooKeeper;

/** A client that does nothing but sweep, when it is told to. */
final class Sweeper implements AutoCloseable {

  final Sessions sessions;
  final Broom broom;

  /**
   * A client.
   *
   * @param everyMillis how often it begins anew
   */
  Sweeper(String uri, long everyMillis) {
    Settings settings = Engines.settings();
    ZooKeeperOptions options = ZooKeeperOptions.of(uri);
    Layout layout = Layout.in(options.chroot());
    Words words = new Words(options.address());
    Connector connector = Connector.own(options, (int) settings.lease().toMillis());
    Opening opening = new Opening(layout, connector.acl(), words, settings);
    long patience = settings.operationTimeout().toNanos();
    sessions = new Sessions(connector, opening, words, settings.nanoTime(), patience);
    Books books =
        new Books(
            settings.nanoTime(), settings.lease().toNanos(), new HeldNodes(settings.nanoTime()));
    broom = new Broom(sessions, layout, new Marks(books), settings.nanoTime(), everyMillis);
  }

  ZooKeeper client() throws Exception {
    return sessions.require().wire().client();
  }

  @Override
  public void close() {
    sessions.close();
  }
}
