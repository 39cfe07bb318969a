package io.holdfast.zookeeper.connection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;

/**
 * The server list of a client, which remembers when its session was requested.
 *
 * <p>Why the session lasts at least from that time: a client takes the next server from this list
 * before every try, and only then connects and requests a session there. While it has no session,
 * each try requests a new one, and a session that an earlier try may have opened is not resumed. So
 * the session of the first connection was opened after that try began, however long the servers
 * were unreachable before. Later connections resume the same session and say nothing about its
 * beginning.
 */
final class ServerRotation implements HostProvider {

  private final HostProvider servers;
  private final LongSupplier nanoTime;
  private volatile long triedAt;
  private volatile long sessionRequestedAt;
  private volatile boolean connected;
  private volatile boolean leaving;

  ServerRotation(List<InetSocketAddress> addresses, LongSupplier nanoTime) {
    this.servers = new StaticHostProvider(addresses);
    this.nanoTime = nanoTime;
    this.triedAt = nanoTime.getAsLong();
    this.sessionRequestedAt = triedAt;
  }

  /**
   * Makes the client drop its connection and resume its session at the next server. Does not block.
   *
   * <p>When a client is given a new server list, it asks this class whether it must leave its
   * current server. No other public method makes it do so.
   *
   * @param hosts the servers, as before
   */
  void moveToNextServer(ZooKeeper client, String hosts) {
    leaving = true;
    try {
      client.updateServerList(hosts);
    } catch (IOException | RuntimeException e) {
      // The socket is closed already; the client is about to notice that.
      leaving = false;
    }
  }

  /**
   * Returns the time when the session was requested, or earlier; valid once the client has
   * connected.
   */
  long sessionRequestedAt() {
    return sessionRequestedAt;
  }

  @Override
  public int size() {
    return servers.size();
  }

  @Override
  public InetSocketAddress next(long spinDelay) {
    // Waits if all servers have been tried.
    InetSocketAddress next = servers.next(spinDelay);
    triedAt = nanoTime.getAsLong();
    return next;
  }

  /** The client knows its session now, and notifies its watchers after this call. */
  @Override
  public void onConnected() {
    if (!connected) {
      connected = true;
      sessionRequestedAt = triedAt;
    }
    servers.onConnected();
  }

  @Override
  public boolean updateServerList(
      Collection<InetSocketAddress> serverAddresses, InetSocketAddress currentHost) {
    if (leaving) {
      // The list is unchanged; the client is only to drop its connection.
      leaving = false;
      return true;
    }
    return servers.updateServerList(serverAddresses, currentHost);
  }
}
