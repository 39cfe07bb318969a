package io.holdfast.rig.process;

import io.holdfast.rig.time.Await;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A real server as a child process that can be killed, paused and restarted. It listens on a free
 * loopback port and runs in a temporary folder.
 *
 * <p>May be used by several threads: the calls run one after another.
 */
public final class ServerProcess implements AutoCloseable {
  private static final int STARTS = 3;

  private final ServerSpec spec;
  private final ServerLocation place;
  private @Nullable ChildProcess child;
  private boolean paused;
  private boolean closed;

  private ServerProcess(ServerSpec spec, ServerLocation place) {
    this.spec = spec;
    this.place = place;
  }

  /**
   * Starts a server and returns when it is ready.
   *
   * <p>If someone else took the free port in the meantime, it tries again on another one.
   *
   * @throws IllegalStateException when the program is missing, or the server ended or was not ready
   *     in time; the message quotes its output. Nothing is left behind.
   */
  public static ServerProcess start(ServerSpec spec) {
    for (int i = 1; ; i++) {
      int port = spec.port().orElseGet(Ports::free);
      ServerProcess server =
          new ServerProcess(spec, new ServerLocation(spec.name(), port, spec.user()));
      try {
        server.prepare();
        server.launch();
        return server;
      } catch (RuntimeException | AssertionError e) {
        boolean again = i < STARTS && spec.port().isEmpty() && server.portWasTaken();
        server.close();
        if (!again) {
          throw e;
        }
      }
    }
  }

  /** The port that clients connect to; the same after a restart. */
  public int port() {
    return place.port();
  }

  /** The loopback address with {@link #port()}. */
  public InetSocketAddress address() {
    return place.address();
  }

  /** The server's folder; the same after a restart, gone after close. */
  public Path folder() {
    return place.folder();
  }

  /** The ports and the folder. */
  public ServerLocation place() {
    return place;
  }

  /** The process that runs now or ran last. */
  public synchronized long pid() {
    return current().pid();
  }

  /** Whether the process exists; a paused one does. */
  public synchronized boolean isRunning() {
    return current().isAlive();
  }

  /** Whether it runs and is not paused, so that a reply is possible. */
  public synchronized boolean isUp() {
    return isRunning() && !paused;
  }

  /** All that the server has written to its standard output and error, over all starts. */
  public synchronized String output() {
    return current().output();
  }

  /**
   * Ends it by SIGKILL, paused or not, with the processes that it started; returns when they are
   * gone.
   *
   * @return the {@code nanoTime} just before the signal
   */
  public synchronized long kill9() {
    long before = System.nanoTime();
    current().kill9();
    return before;
  }

  /**
   * Stops it by SIGSTOP, with the processes that it started; returns when none of them runs any
   * more. The kernel goes on accepting connections for it.
   *
   * @return the {@code nanoTime} just before the signal
   */
  public synchronized long pause() {
    long before = System.nanoTime();
    paused = true;
    current().pause();
    return before;
  }

  /** Lets it go on after {@link #pause}. */
  public synchronized void resume() {
    current().resume();
    paused = false;
  }

  /** Asks it to end, kills it if it does not; returns when it is gone. Port and folder stay. */
  public synchronized void stop() {
    current().stop(spec.stopSignal(), spec.stopBound());
  }

  /**
   * Starts it again on the same port and folder, after stopping it if it still runs; returns when
   * it is ready.
   *
   * @throws IllegalStateException as {@link #start}
   */
  public synchronized void restart() {
    if (closed) {
      throw new IllegalStateException("closed: " + spec.name());
    }
    stop();
    launch();
  }

  /** Stops it and deletes its folder; idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    if (child != null) {
      child.stop(spec.stopSignal(), spec.stopBound());
    }
    place.delete();
  }

  private void prepare() {
    try {
      spec.preparation().in(place);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(spec.name() + ": the preparation failed", e);
    }
  }

  private synchronized void launch() {
    ChildProcess started =
        ChildProcess.start(place.launch(spec.command().at(place), spec.environment()));
    child = started;
    paused = false;
    boolean ready =
        Await.within(
            spec.startBound(),
            () -> !started.isAlive() || spec.ready().isReady(place, started.pid()));
    // Looked at last: a stranger on our port may have replied while our server gave up.
    if (!started.isAlive()) {
      int code = started.exitCode();
      throw new IllegalStateException(started + " ended with " + code + "; " + started.quote());
    }
    if (!ready) {
      long bound = spec.startBound().toMillis();
      throw new IllegalStateException(
          started + " was not ready within " + bound + " ms; " + started.quote());
    }
  }

  private synchronized boolean portWasTaken() {
    // The same words of the C library in the logs of C, Go and Java programs.
    return child != null
        && child.output().toLowerCase(Locale.ROOT).contains("address already in use");
  }

  private ChildProcess current() {
    if (child == null) {
      throw new IllegalStateException("not started: " + spec.name());
    }
    return child;
  }

  @Override
  public String toString() {
    return spec.name() + " on port " + port();
  }
}
