package io.holdfast.rig.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The single thread of a proxy. All connections and all changes of faults happen on it, one after
 * another, so nothing here needs a lock.
 */
final class ProxyLoop implements Runnable {
  private static final int BUFFER = 64 * 1024;

  /** A task for the loop. */
  @FunctionalInterface
  interface Order {
    void carryOut() throws IOException;
  }

  private record Pending(Order order, CompletableFuture<Boolean> done) {}

  private final InetSocketAddress address;
  private final InetSocketAddress target;
  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private final PerDirection<ByteCounter> tallies =
      new PerDirection<>(new ByteCounter(), new ByteCounter());
  private final Set<ProxiedConnection> links = new HashSet<>();
  private final Queue<Pending> orders = new ConcurrentLinkedQueue<>();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong open = new AtomicLong();
  private PerDirection<ActiveFault> faults;
  private @Nullable ServerSocketChannel listener;
  private boolean running = true;

  ProxyLoop(InetSocketAddress address, InetSocketAddress target) throws IOException {
    this.address = address;
    this.target = target;
    ActiveFault none = ActiveFault.of(new ProxyFault.Pass());
    this.faults = new PerDirection<>(none, none);
    this.selector = Selector.open();
    try {
      listen();
    } catch (IOException e) {
      selector.close();
      throw e;
    }
  }

  /** From any thread; done when the kernel has done its part too. */
  CompletableFuture<Boolean> order(Order order) {
    Pending pending = new Pending(order, new CompletableFuture<>());
    orders.add(pending);
    selector.wakeup();
    return pending.done();
  }

  ProxyCounts counts() {
    return new ProxyCounts(
        accepted.get(),
        open.get(),
        tallies.requests().passed(),
        tallies.replies().passed(),
        tallies.requests().lost(),
        tallies.replies().lost());
  }

  @Override
  public void run() {
    try {
      while (running) {
        selector.select(this::handle, untilNextDue());
        advance();
        obey();
      }
    } catch (IOException e) {
      throw new IllegalStateException("the proxy on " + address + " broke down", e);
    } finally {
      end();
    }
  }

  // The orders; on the loop's thread only.

  void apply(Direction direction, ProxyFault fault) {
    ActiveFault next = ActiveFault.of(fault);
    faults = faults.with(direction, next);
    links.forEach(link -> link.apply(direction, next));
  }

  void listen() throws IOException {
    if (listener == null) {
      ServerSocketChannel channel = ServerSocketChannel.open();
      listener = channel;
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(address);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_ACCEPT);
    }
  }

  void stopListening() throws IOException {
    if (listener != null) {
      listener.close();
      listener = null;
    }
  }

  void closeLinks() {
    links.forEach(ProxiedConnection::close);
  }

  void resetLinks() {
    links.forEach(ProxiedConnection::reset);
  }

  void stop() {
    running = false;
  }

  private void handle(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    if (key.attachment() instanceof ProxiedConnection link) {
      link.ready(key, buffer);
    } else {
      accept();
    }
  }

  private void accept() {
    try {
      SocketChannel client = listener == null ? null : listener.accept();
      if (client != null) {
        accepted.incrementAndGet();
        take(client);
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot accept on " + address, e);
    }
  }

  private void take(SocketChannel client) throws IOException {
    try {
      links.add(ProxiedConnection.open(client, target, selector, tallies, faults));
    } catch (IOException e) {
      client.close(); // it broke off while it was being accepted: its own affair
    }
  }

  private void advance() {
    long now = System.nanoTime();
    links.forEach(link -> link.advance(now));
    links.removeIf(ProxiedConnection::isClosed);
    open.set(links.size());
  }

  private void obey() throws IOException {
    List<Pending> done = new ArrayList<>();
    for (Pending next = orders.poll(); next != null; next = orders.poll()) {
      try {
        next.order().carryOut();
        done.add(next);
      } catch (IOException | RuntimeException e) {
        next.done().completeExceptionally(e);
      }
    }
    if (!done.isEmpty()) {
      advance();
      // A closed channel gives up its socket only when the selector has let go of it.
      selector.selectNow(this::handle);
      done.forEach(pending -> pending.done().complete(true));
    }
  }

  private long untilNextDue() {
    long due = links.stream().mapToLong(ProxiedConnection::nextDue).min().orElse(Long.MAX_VALUE);
    if (due == Long.MAX_VALUE) {
      return 0; // for the selector: until something happens
    }
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, due - System.nanoTime())) + 1;
  }

  private void end() {
    try {
      stopListening();
      closeLinks();
      open.set(0);
      selector.close();
    } catch (IOException e) {
      throw new IllegalStateException("cannot close the proxy on " + address, e);
    } finally {
      orders.forEach(
          pending -> pending.done().completeExceptionally(new IOException("the proxy has ended")));
    }
  }
}
