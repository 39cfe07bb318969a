package io.holdfast.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.function.LongSupplier;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;

/**
 * The servers, one try after another, as ZooKeeper's own list gives them. Remembers when the try
 * began that led to the session: it surely lasts from then on.
 *
 * <p>Why that can be counted from: a client asks for the next server before every try, and only
 * then connects and asks there for a session. As long as it has none, each try asks for a new one;
 * what an earlier try may have opened is not taken up. So the session that the first connection
 * brought was opened after that try began, however long the servers were away before. Later
 * connections take up the same session, and say nothing about its beginning.
 */
final class Tries implements HostProvider {

  private final HostProvider servers;
  private final LongSupplier nanoTime;
  private volatile long triedAt;
  private volatile long askedAt;
  private volatile boolean connected;
  private volatile boolean leaving;

  Tries(ZooKeeperOptions options, LongSupplier nanoTime) {
    this.servers =
        new StaticHostProvider(
            options.servers().stream()
                .map(server -> InetSocketAddress.createUnresolved(server.host(), server.port()))
                .toList());
    this.nanoTime = nanoTime;
    this.triedAt = nanoTime.getAsLong();
    this.askedAt = triedAt;
  }

  /**
   * Makes the client give its connection up and attach its session to the next server. Does not
   * block.
   *
   * <p>A client asks its list of servers, when told of a new one, whether it must leave the server
   * that it is connected to: that is the only public way to make it do so.
   *
   * @param hosts the servers, as before
   */
  void moveOn(ZooKeeper client, String hosts) {
    leaving = true;
    try {
      client.updateServerList(hosts);
    } catch (IOException | RuntimeException e) {
      // The socket is closed already: the client is about to find that out by itself.
      leaving = false;
    }
  }

  /** When the session was asked for, or before; of a client that has been connected. */
  long askedAt() {
    return askedAt;
  }

  @Override
  public int size() {
    return servers.size();
  }

  @Override
  public InetSocketAddress next(long spinDelay) {
    // Waits, if all have been tried.
    InetSocketAddress next = servers.next(spinDelay);
    triedAt = nanoTime.getAsLong();
    return next;
  }

  /** The client knows its session, and says so to others after this. */
  @Override
  public void onConnected() {
    if (!connected) {
      connected = true;
      askedAt = triedAt;
    }
    servers.onConnected();
  }

  @Override
  public boolean updateServerList(
      Collection<InetSocketAddress> serverAddresses, InetSocketAddress currentHost) {
    if (leaving) {
      // The list is the same: only the connection is to go.
      leaving = false;
      return true;
    }
    return servers.updateServerList(serverAddresses, currentHost);
  }
}
