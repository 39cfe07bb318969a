package io.holdfast.rig;

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
 * The one thread of a proxy: all connections and all changes of faults happen on it, one after
 * another, so nothing here needs a lock.
 */
final class ProxyLoop implements Runnable {
  private static final int BUFFER = 64 * 1024;

  /** Something that the loop is told to do. */
  @FunctionalInterface
  interface Order {
    void carryOut() throws IOException;
  }

  private record Pending(Order order, CompletableFuture<Boolean> done) {}

  private final InetSocketAddress address;
  private final InetSocketAddress target;
  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private final EachWay<Tally> tallies = new EachWay<>(new Tally(), new Tally());
  private final Set<Link> links = new HashSet<>();
  private final Queue<Pending> orders = new ConcurrentLinkedQueue<>();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong open = new AtomicLong();
  private EachWay<FaultInForce> faults;
  private @Nullable ServerSocketChannel listener;
  private boolean running = true;

  ProxyLoop(InetSocketAddress address, InetSocketAddress target) throws IOException {
    this.address = address;
    this.target = target;
    FaultInForce none = FaultInForce.of(new Fault.Pass());
    this.faults = new EachWay<>(none, none);
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

  void apply(Direction direction, Fault fault) {
    FaultInForce next = FaultInForce.of(fault);
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
    links.forEach(Link::close);
  }

  void resetLinks() {
    links.forEach(Link::reset);
  }

  void stop() {
    running = false;
  }

  private void handle(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    if (key.attachment() instanceof Link link) {
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
      links.add(Link.open(client, target, selector, tallies, faults));
    } catch (IOException e) {
      client.close(); // it broke off while it was being accepted: its own affair
    }
  }

  private void advance() {
    long now = System.nanoTime();
    links.forEach(link -> link.advance(now));
    links.removeIf(Link::isClosed);
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
    long due = links.stream().mapToLong(Link::nextDue).min().orElse(Long.MAX_VALUE);
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
