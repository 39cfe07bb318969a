package io.holdfast.spi;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counters of a store that can compare and set; each is a cell.
 *
 * <p>A cell contains the next number. Why no number is given out twice: a block is used only if the
 * store has confirmed that it moved the cell from the block's beginning, or below, to its end, and
 * that no other client had written to the cell since that beginning was read. A write whose reply
 * is lost or late either moves the cell past a block that is never used, or finds the cell changed
 * and does nothing.
 *
 * <p>Callers take turns. The caller that has the turn takes blocks for all callers that wait for
 * the same counter, in one step. The last value of a cell is cached, so that a block costs one trip
 * as long as no other client writes. A caller that is overtaken retries until the operation timeout
 * has passed.
 */
public final class SwapCounter implements Counter {

  /** The cells of a store. Called by one thread at a time; blocks for I/O, bounded. */
  public interface Cells {

    /** Reads the cell. The value may be slightly old: the swap notices that. */
    Cell look(Resource name) throws EngineException;

    /**
     * Writes, unless another client has written since the cell was read.
     *
     * @param seen the value that was read
     * @throws EngineException when it is not known whether it was written, or is known that it was
     *     not for another reason
     */
    Swapped swap(Resource name, Cell seen, String text) throws EngineException;

    /** Returns the store's clock in microseconds since 1970, as well as it is known. */
    long epochMicros() throws EngineException;
  }

  /**
   * The value of a cell.
   *
   * @param text empty before the first write
   * @param mark the store's own version, by which it notices other writes
   */
  public record Cell(String text, long mark) {}

  /**
   * The result of a swap.
   *
   * @param done whether it was written
   * @param now the value of the cell now: the written one, or the conflicting one
   */
  public record Swapped(boolean done, Cell now) {}

  /**
   * A caller that waits for a block. Used only by the caller that has the turn, and by itself after
   * that.
   */
  private static final class Waiting {
    final Ask ask;
    long planned;
    long first = -1;
    @Nullable EngineException failure;

    Waiting(Ask ask) {
      this.ask = ask;
    }

    boolean isOver() {
      return failure != null || first >= 0;
    }

    long answer() throws EngineException {
      if (failure != null) {
        throw failure;
      }
      return first;
    }
  }

  private static final int CELLS_KNOWN = 1_000;

  private final Cells cells;
  private final String store;
  private final LongSupplier nanoTime;
  private final long patienceNanos;
  private final ReentrantLock turn = new ReentrantLock(/* fair= */ true);
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final Map<Resource, Cell> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Resource, Cell> eldest) {
          return size() > CELLS_KNOWN;
        }
      };

  /**
   * Creates counters over these cells.
   *
   * @param store the address for errors, without secrets
   * @param settings for its clock and its operation timeout
   */
  public SwapCounter(Cells cells, String store, EngineProvider.Settings settings) {
    this.cells = cells;
    this.store = store;
    this.nanoTime = settings.nanoTime();
    this.patienceNanos = settings.operationTimeout().toNanos();
  }

  @Override
  public long take(Ask ask) throws EngineException {
    long end = nanoTime.getAsLong() + patienceNanos;
    Waiting mine = new Waiting(ask);
    waiting.add(mine);
    try {
      await(ask.name(), end);
    } catch (EngineException e) {
      // Another caller may take a block for it at this moment: that block is wasted.
      throw waiting.remove(mine)
          ? e
          : new EngineException.Unknown(String.valueOf(e.getMessage()), e);
    }
    try {
      if (!mine.isOver()) {
        serve(ask.name(), end);
      }
      return mine.answer();
    } finally {
      turn.unlock();
    }
  }

  private void await(Resource name, long end) throws EngineException {
    try {
      if (!turn.tryLock(Math.max(0, end - nanoTime.getAsLong()), TimeUnit.NANOSECONDS)) {
        throw new EngineException.NotDone(
            "no turn in time" + about(name) + ": other callers of this client wait for the store",
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.NotDone("interrupted while waiting for a turn" + about(name), e);
    }
  }

  /** Takes blocks for all callers that wait for this counter. */
  private void serve(Resource name, long end) {
    List<Waiting> together = new ArrayList<>();
    for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
      Waiting each = all.next();
      if (each.ask.name().equals(name)) {
        all.remove();
        together.add(each);
      }
    }
    EngineException failure = null;
    try {
      advance(name, together, end);
    } catch (EngineException e) {
      failure = e;
    } catch (RuntimeException e) {
      failure = new EngineException.Unknown("no block" + about(name), e);
    }
    if (failure != null) {
      known.remove(name);
      for (Waiting each : together) {
        each.failure = failure;
      }
    }
  }

  private void advance(Resource name, List<Waiting> together, long end) throws EngineException {
    Cell remembered = known.get(name);
    Cell seen = remembered == null ? cells.look(name) : remembered;
    for (int tries = 1; ; tries++) {
      Swapped answer = cells.swap(name, seen, Long.toString(place(together, next(name, seen))));
      seen = answer.now();
      known.put(name, seen);
      if (answer.done()) {
        together.forEach(each -> each.first = each.planned);
        return;
      }
      if (end - nanoTime.getAsLong() <= 0) {
        throw new EngineException.NotDone(
            "no block in time"
                + about(name)
                + ": other clients were quicker, "
                + tries
                + " times. Take larger blocks, and fewer",
            null);
      }
    }
  }

  /** Takes one block after the other; returns the end of the last one. */
  private long place(List<Waiting> together, long next) throws EngineException {
    long end = next;
    for (Waiting each : together) {
      Ask ask = each.ask;
      long floor = ask.clocked() ? Math.max(ask.floor(), cells.epochMicros()) : ask.floor();
      each.planned = Math.max(end, floor);
      if (each.planned > Long.MAX_VALUE - ask.count()) {
        throw new EngineException.Refused("no numbers are left" + about(ask.name()));
      }
      end = each.planned + ask.count();
    }
    return end;
  }

  private long next(Resource name, Cell cell) throws EngineException {
    if (cell.text().isEmpty()) {
      return 0;
    }
    try {
      return requireNumber(cell.text());
    } catch (NumberFormatException e) {
      throw new EngineException.Refused(
          "no block"
              + about(name)
              + ": Holdfast did not write the record in its place, and left it untouched."
              + " Move it away",
          e);
    }
  }

  private static long requireNumber(String text) {
    long number = Long.parseLong(text);
    if (number < 0) {
      throw new NumberFormatException("negative");
    }
    return number;
  }

  @Override
  public boolean giveBack(Resource name, long from, long end) throws EngineException {
    await(name, nanoTime.getAsLong() + patienceNanos);
    try {
      known.remove(name);
      Cell seen = cells.look(name);
      // A caller that is overtaken checks whether it is still the last one: at most once for each
      // other block.
      while (!seen.text().isEmpty() && next(name, seen) == end) {
        if (from == end) {
          return true;
        }
        Swapped answer = cells.swap(name, seen, Long.toString(from));
        if (answer.done()) {
          return true;
        }
        seen = answer.now();
      }
      return false;
    } finally {
      turn.unlock();
    }
  }

  /** Returns false: a write is in the logs of a majority before it is confirmed. */
  @Override
  public boolean forgets() {
    return false;
  }

  private String about(Resource name) {
    return " of the counter " + name + " at " + store;
  }
}
