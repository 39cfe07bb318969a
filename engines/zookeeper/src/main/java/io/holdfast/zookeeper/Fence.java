package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Fence records in the store, and the connection to them. Safe for several threads. */
final class Fence implements AutoCloseable {

  static final int SESSION_MILLIS = 10_000;

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long LOOK_NANOS = 5_000_000;
  private static final byte[] NOTHING = {};

  /** A record as it was read. */
  record Read(String path, FenceRecord record, int version) {}

  /**
   * What became of a transaction.
   *
   * @param failed the first step that failed, if one did
   */
  record Outcome(Code code, int failed, List<OpResult> results) {}

  private final Connector connector;
  private final Layout layout;
  private final Words words;
  private @Nullable ZooKeeper client;
  private boolean closed;

  Fence(Connector connector, ZooKeeperOptions options) {
    this.connector = connector;
    this.layout = Layout.in(options.chroot());
    this.words = new Words(options.address());
  }

  private synchronized ZooKeeper client() throws EngineException {
    if (closed) {
      throw new EngineException.Refused("the guard at " + words.store() + " is closed");
    }
    ZooKeeper open = client;
    if (open == null || !open.getState().isAlive()) {
      try {
        open = connector.connect(event -> {}, System::nanoTime).client();
      } catch (IOException e) {
        throw new EngineException.NotDone("no connection to " + words.store(), e);
      }
      client = open;
    }
    return open;
  }

  private Wire wire() throws EngineException {
    ZooKeeper open = client();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!open.getState().isConnected()) {
      if (end - System.nanoTime() <= 0 || !open.getState().isAlive()) {
        throw new EngineException.NotDone("no connection to " + words.store(), null);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return new Wire(open, connector.acl());
  }

  /** The failure of something about this; a session that is over is not asked again. */
  private EngineException failure(Throwable why, String about) {
    if (Words.code(why) == Code.SESSIONEXPIRED) {
      drop();
    }
    return words.of(why, about);
  }

  private synchronized void drop() {
    if (client != null) {
      CompletableFuture<?> unused = connector.close(client);
      client = null;
    }
  }

  /** The record of a resource; makes an empty one if there is none. */
  Read read(Resource resource) throws EngineException {
    Wire wire = wire();
    String folder = layout.fences() + "/" + resource.namespace();
    String path = folder + "/" + Layout.encode(resource.name());
    while (true) {
      try {
        Wire.Node node = get(wire.data(path, null));
        return new Read(path, FenceRecord.read(node.data()), node.stat().getVersion());
      } catch (ExecutionException e) {
        if (Words.code(bare(e)) != Code.NONODE) {
          throw failure(bare(e), resource.toString());
        }
        make(wire, path, resource);
      } catch (IllegalArgumentException e) {
        throw new EngineException.Refused(
            path + " at " + words.store() + " is not one of Holdfast's; it was left untouched", e);
      }
    }
  }

  private void make(Wire wire, String path, Resource resource) throws EngineException {
    for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      make(wire, path.substring(0, slash), resource.toString());
    }
    make(wire, path, resource.toString());
  }

  private void make(Wire wire, String path, String about) throws EngineException {
    byte[] data =
        path.equals(layout.root()) ? Layout.VERSION.getBytes(StandardCharsets.US_ASCII) : NOTHING;
    try {
      Wire.Made unused = get(wire.create(path, data, CreateMode.PERSISTENT));
    } catch (ExecutionException e) {
      Code code = Words.code(bare(e));
      if (code != Code.NODEEXISTS && code != Code.NOAUTH) {
        throw failure(bare(e), about);
      }
    }
  }

  /** Runs a transaction; a step that failed is no failure here. */
  Outcome perform(List<Op> steps) throws EngineException {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    wire()
        .client()
        .multi(
            steps,
            (rc, path, context, results) -> {
              Code code = Code.get(rc);
              answer.complete(
                  new Outcome(
                      code == null ? Code.SYSTEMERROR : code,
                      failed(results),
                      results == null ? List.of() : results));
            },
            null);
    try {
      Outcome outcome = get(answer);
      boolean judged = outcome.code() == Code.OK || outcome.failed() >= 0;
      if (judged && outcome.code() != Code.NOAUTH) {
        return outcome;
      }
      throw failure(KeeperException.create(outcome.code()), "the fence");
    } catch (ExecutionException e) {
      throw failure(bare(e), "the fence");
    }
  }

  private static int failed(@Nullable List<OpResult> results) {
    for (int i = 0; results != null && i < results.size(); i++) {
      if (results.get(i) instanceof OpResult.ErrorResult error
          && error.getErr() != Code.OK.intValue()) {
        return i;
      }
    }
    return -1;
  }

  private static Throwable bare(ExecutionException e) {
    return e.getCause() == null ? e : e.getCause();
  }

  private <T> T get(CompletableFuture<T> answer) throws EngineException, ExecutionException {
    try {
      return answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new EngineException.Unknown("no answer from " + words.store(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.Unknown("interrupted at " + words.store(), e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (client != null) {
      // Nothing hangs on its session: nobody needs to wait for its end.
      CompletableFuture<?> unused = connector.close(client);
    }
  }
}
