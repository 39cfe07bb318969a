package io.holdfast.zookeeper;

import java.io.IOException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/** A client that can go without ending its session. */
final class DetachableZooKeeper extends ZooKeeper {

  DetachableZooKeeper(
      String hosts, int sessionMillis, Watcher watcher, HostProvider servers, ZKClientConfig config)
      throws IOException {
    super(hosts, sessionMillis, watcher, /* canBeReadOnly= */ false, servers, config);
  }

  /**
   * Closes the connection and ends the threads. The store keeps the session, and what lives on it,
   * until the session's time has passed. Blocks for about a second at most.
   */
  void detach() {
    cnxn.disconnect();
  }
}
