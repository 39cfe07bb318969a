package io.holdfast.rig.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * A client's connection through the proxy, and its connection to the server. Used by the proxy's
 * thread alone.
 */
final class ProxiedConnection {
  private final SocketChannel client;
  private final SocketChannel server;
  private final SelectionKey clientKey;
  private final SelectionKey serverKey;
  private final DirectedFlow requests;
  private final DirectedFlow replies;
  private boolean connected;
  private boolean serverUnreachable;
  private boolean closed;

  private ProxiedConnection(
      SocketChannel client,
      SocketChannel server,
      Selector selector,
      PerDirection<ByteCounter> tallies,
      PerDirection<ActiveFault> faults)
      throws IOException {
    this.client = client;
    this.server = server;
    this.requests = new DirectedFlow(client, server, tallies.requests(), faults.requests());
    this.replies = new DirectedFlow(server, client, tallies.replies(), faults.replies());
    this.clientKey = client.register(selector, 0, this);
    this.serverKey = server.register(selector, 0, this);
  }

  /** Takes over an accepted connection and begins to connect to the server. */
  static ProxiedConnection open(
      SocketChannel client,
      InetSocketAddress target,
      Selector selector,
      PerDirection<ByteCounter> tallies,
      PerDirection<ActiveFault> faults)
      throws IOException {
    SocketChannel server = SocketChannel.open();
    try {
      for (SocketChannel side : List.of(client, server)) {
        side.configureBlocking(false);
        side.setOption(StandardSocketOptions.TCP_NODELAY, true);
      }
      ProxiedConnection link = new ProxiedConnection(client, server, selector, tallies, faults);
      link.connect(target);
      return link;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  boolean isClosed() {
    return closed;
  }

  void apply(Direction direction, ActiveFault fault) {
    decide(flow(direction), flow(direction).apply(fault));
  }

  /** The selector found one of the two sides ready. */
  void ready(SelectionKey key, ByteBuffer buffer) {
    if (!closed && key.isConnectable()) {
      finishConnect();
    }
    if (!closed && key.isValid() && key.isReadable()) {
      DirectedFlow flow = key == clientKey ? requests : replies;
      decide(flow, flow.read(buffer));
    }
  }

  /** Writes what is due and registers for the next events. */
  void advance(long now) {
    if (!closed && connected) {
      decide(requests, requests.write(now));
    }
    if (!closed) {
      decide(replies, replies.write(now));
    }
    if (!closed && requests.isFinished() && replies.isFinished()) {
      close();
    }
    if (!closed) {
      clientKey.interestOps(interest(requests, replies, now));
      if (!serverUnreachable) { // a channel that failed to connect has closed itself
        serverKey.interestOps(
            connected ? interest(replies, requests, now) : SelectionKey.OP_CONNECT);
      }
    }
  }

  long nextDue() {
    return Math.min(connected ? requests.nextDue() : Long.MAX_VALUE, replies.nextDue());
  }

  /** Both sides see an orderly end. */
  void close() {
    closed = true;
    closeQuietly(client);
    closeQuietly(server);
  }

  /** Both sides see "connection reset by peer". */
  void reset() {
    for (SocketChannel side : List.of(client, server)) {
      try {
        side.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException e) {
        // Already broken by its other end: then there is no end left to notify.
      }
    }
    close();
  }

  private void connect(InetSocketAddress target) {
    try {
      if (server.connect(target)) {
        connected = true;
      }
    } catch (IOException e) {
      unreachable();
    }
  }

  private void finishConnect() {
    try {
      connected = server.finishConnect();
    } catch (IOException e) {
      unreachable();
    }
  }

  private void unreachable() {
    serverUnreachable = true;
    decide(requests, DirectedFlow.Fate.SINK_BROKE);
  }

  private void decide(DirectedFlow flow, DirectedFlow.Fate fate) {
    switch (fate) {
      case GOES_ON -> {}
      case CLOSES -> close();
      case RESETS -> reset();
      case SINK_BROKE -> {
        // The news goes back the other way, and meets the fault there.
        DirectedFlow opposite = flow == requests ? replies : requests;
        if (opposite.broke() == DirectedFlow.Fate.RESETS) {
          reset();
        } else {
          flow.drain();
        }
      }
    }
  }

  private DirectedFlow flow(Direction direction) {
    return direction == Direction.REQUESTS ? requests : replies;
  }

  private static int interest(DirectedFlow from, DirectedFlow to, long now) {
    return (from.wantsToRead() ? SelectionKey.OP_READ : 0)
        | (to.isDue(now) ? SelectionKey.OP_WRITE : 0);
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // A socket that cannot be closed has been: its descriptor is given up either way.
    }
  }
}
