package io.holdfast.rig.proxy;

import io.holdfast.rig.process.Ports;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A TCP proxy on a loopback port that can inject network faults. Faults are switched while it runs.
 *
 * <p>A fault is in force for all connections, existing and new, when the method returns, and stays
 * until {@link #heal} or until another one takes its place. Clients can always *connect* except
 * while {@link #cut}: the kernel completes the handshake.
 *
 * <p>May be used by several threads. One daemon thread, gone after {@link #close}.
 */
public final class FaultProxy implements AutoCloseable {
  private static final long BOUND_SECONDS = 10;

  private final int port;
  private final ProxyLoop loop;
  private final Thread thread;
  private boolean closed;

  private FaultProxy(InetSocketAddress target) throws IOException {
    this.port = Ports.free();
    this.loop = new ProxyLoop(Ports.loopback(port), target);
    this.thread = new Thread(loop, "rig-proxy-" + port);
    thread.setDaemon(true);
  }

  /** Starts a proxy on a free port; the target need not be up. */
  public static FaultProxy to(InetSocketAddress target) {
    try {
      FaultProxy proxy = new FaultProxy(target);
      proxy.thread.start();
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a proxy in front of a server. */
  public static FaultProxy to(ServerProcess server) {
    return to(server.address());
  }

  /** The port that clients connect to. */
  public int port() {
    return port;
  }

  /** The loopback address with {@link #port()}. */
  public InetSocketAddress address() {
    return Ports.loopback(port);
  }

  /** Connections and bytes since the start; also after close. */
  public ProxyCounts counts() {
    return loop.counts();
  }

  /** Puts one fault in force for one direction; the other direction stays as it is. */
  public void apply(Direction direction, ProxyFault fault) {
    order(() -> loop.apply(direction, fault));
  }

  /** Closes all connections and refuses new ones. */
  public void cut() {
    order(
        () -> {
          loop.stopListening();
          loop.closeLinks();
        });
  }

  /** Resets all connections, once; new ones are as good as before. */
  public void reset() {
    order(loop::resetLinks);
  }

  /** Half-open: connections are accepted and stay open, and nothing comes through either way. */
  public void blackHole() {
    both(new ProxyFault.Swallow());
  }

  /** Nothing comes through, but nothing is lost: all of it arrives after {@link #heal}. */
  public void hold() {
    both(new ProxyFault.Hold());
  }

  /** One-way: bytes of this direction pass, those of the other one vanish. */
  public void passOnly(Direction passing) {
    order(
        () -> {
          loop.apply(passing, new ProxyFault.Pass());
          loop.apply(passing.opposite(), new ProxyFault.Swallow());
        });
  }

  /** Every piece arrives later by this, plus up to the jitter, in each direction. */
  public void delay(Duration base, Duration jitter, long seed) {
    both(new ProxyFault.Delay(base, jitter, seed));
  }

  /** Every connection ends after this many more bytes of this direction. */
  public void truncate(Direction direction, long bytes) {
    apply(direction, new ProxyFault.Truncate(bytes));
  }

  /** Takes all faults away; connections that lost bytes in the middle are reset. */
  public void heal() {
    order(
        () -> {
          loop.listen();
          for (Direction direction : Direction.values()) {
            loop.apply(direction, new ProxyFault.Pass());
          }
        });
  }

  /** Closes all connections; port and thread are free when it returns. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      if (thread.isAlive()) {
        order(loop::stop);
      }
      closed = true;
      Await.until(
          "the end of " + thread.getName(),
          Duration.ofSeconds(BOUND_SECONDS),
          () -> !thread.isAlive());
    }
  }

  private void both(ProxyFault fault) {
    order(
        () -> {
          for (Direction direction : Direction.values()) {
            loop.apply(direction, fault);
          }
        });
  }

  private synchronized void order(ProxyLoop.Order order) {
    if (closed) {
      throw new IllegalStateException("closed: " + this);
    }
    try {
      loop.order(order).get(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: " + this, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the fault was not put in force: " + this, e);
    }
  }

  @Override
  public String toString() {
    return "proxy on port " + port;
  }
}
