package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.Resource;
import io.holdfast.spi.SwapCounter.Cell;
import io.holdfast.spi.SwapCounter.Cells;
import io.holdfast.spi.SwapCounter.Swapped;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Counters: a node each that stays, with the next number in it. A write is compared by the node's
 * version. They share the client's session, and hang on nothing of it.
 */
final class CounterNodes implements Cells {

  private static final byte[] NOTHING = {};

  /** The mark of a node that is not there. */
  private static final long NONE = -1;

  /** The version before the one that means any. */
  private static final int BEFORE_ANY = -2;

  private static final int ANY = -1;

  private final Sessions sessions;
  private final Layout layout;
  private final Words words;
  private final LongSupplier nanoTime;
  private final long patienceNanos;

  CounterNodes(Sessions sessions, Layout layout, Words words, Settings settings) {
    this.sessions = sessions;
    this.layout = layout;
    this.words = words;
    this.nanoTime = settings.nanoTime();
    this.patienceNanos = settings.operationTimeout().toNanos();
  }

  @Override
  public Cell look(Resource name) throws EngineException {
    return get(read(sessions.require().wire(), layout.counter(name)), name);
  }

  private static CompletableFuture<Cell> read(Wire wire, String path) {
    return Passing.then(
        wire.data(path, null),
        node ->
            CompletableFuture.completedFuture(
                new Cell(
                    new String(node.data(), StandardCharsets.UTF_8), node.stat().getVersion())),
        failure ->
            Words.code(failure) == Code.NONODE
                ? CompletableFuture.completedFuture(new Cell("", NONE))
                : CompletableFuture.failedFuture(failure));
  }

  @Override
  public Swapped swap(Resource name, Cell seen, String text) throws EngineException {
    Wire wire = sessions.require().wire();
    String path = layout.counter(name);
    byte[] data = text.getBytes(StandardCharsets.US_ASCII);
    CompletableFuture<Cell> written =
        seen.mark() == NONE
            ? create(wire, path, data).thenApply(stat -> new Cell(text, stat.getVersion()))
            : set(wire, path, data, (int) seen.mark())
                .thenApply(stat -> new Cell(text, stat.getVersion()));
    // Right behind it, so that who is overtaken knows in the same trip what is there: those that
    // have to ask once more would never be as quick as those that have just written.
    CompletableFuture<Cell> after = read(wire, path);
    return get(
        Passing.then(
            written,
            cell -> CompletableFuture.completedFuture(new Swapped(true, cell)),
            failure ->
                isOvertaken(Words.code(failure))
                    ? after.thenApply(cell -> new Swapped(false, cell))
                    : CompletableFuture.failedFuture(failure)),
        name);
  }

  private static boolean isOvertaken(@Nullable Code code) {
    return code == Code.BADVERSION || code == Code.NODEEXISTS || code == Code.NONODE;
  }

  /**
   * Writes to a node that is there. A version is never left at the one that means any: nobody could
   * compare with it. It is stepped over in the same transaction.
   */
  private static CompletableFuture<Stat> set(Wire wire, String path, byte[] data, int version) {
    if (version != BEFORE_ANY) {
      return wire.setData(path, data, version);
    }
    List<Op> steps = List.of(Op.setData(path, data, BEFORE_ANY), Op.setData(path, data, ANY));
    return wire.multi(steps)
        .thenApply(results -> ((OpResult.SetDataResult) results.get(1)).getStat());
  }

  /** Makes the node, and before it those above it, if they are missing. */
  private static CompletableFuture<Stat> create(Wire wire, String path, byte[] data) {
    return Passing.then(
        wire.create(path, data, CreateMode.PERSISTENT),
        made -> CompletableFuture.completedFuture(made.stat()),
        failure -> {
          if (Words.code(failure) != Code.NONODE) {
            return CompletableFuture.failedFuture(failure);
          }
          String namespace = path.substring(0, path.lastIndexOf('/'));
          String all = namespace.substring(0, namespace.lastIndexOf('/'));
          return ensure(wire, all)
              .thenCompose(done -> ensure(wire, namespace))
              .thenCompose(done -> wire.create(path, data, CreateMode.PERSISTENT))
              .thenApply(Wire.Made::stat);
        });
  }

  private static CompletableFuture<Boolean> ensure(Wire wire, String path) {
    return Passing.then(
        wire.create(path, NOTHING, CreateMode.PERSISTENT),
        made -> CompletableFuture.completedFuture(true),
        failure ->
            Words.code(failure) == Code.NODEEXISTS
                ? CompletableFuture.completedFuture(true)
                : CompletableFuture.failedFuture(failure));
  }

  /** The leader's clock when it last answered a sign of life, and the time since then. */
  @Override
  public long epochMicros() throws EngineException {
    return sessions.require().storeMillis(nanoTime.getAsLong()) * 1000;
  }

  private <T> T get(CompletableFuture<T> answer, Resource name) throws EngineException {
    String about = "the counter " + name;
    try {
      return answer.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw words.of(e.getCause() == null ? e : e.getCause(), about);
    } catch (TimeoutException e) {
      throw new EngineException.Unknown("no answer from " + words.store() + " about " + about, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.Unknown(
          "interrupted while asking " + words.store() + " about " + about, e);
    }
  }
}
