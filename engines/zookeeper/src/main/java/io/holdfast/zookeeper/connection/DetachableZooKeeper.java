package io.holdfast.zookeeper.connection;

import java.io.IOException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/** A client that can be closed without ending its session. */
final class DetachableZooKeeper extends ZooKeeper {

  DetachableZooKeeper(
      String hosts, int sessionMillis, Watcher watcher, HostProvider servers, ZKClientConfig config)
      throws IOException {
    super(hosts, sessionMillis, watcher, /* canBeReadOnly= */ false, servers, config);
  }

  /**
   * Closes the connection and ends the client's threads. The store keeps the session and its nodes
   * until the session times out. Blocks for about a second at most.
   */
  void detach() {
    cnxn.disconnect();
  }
}
