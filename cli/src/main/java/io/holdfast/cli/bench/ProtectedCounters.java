package io.holdfast.cli.bench;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What the measured locks protect: a count and the last token of each name.
 *
 * <p>Nothing in here guards it: two callers that are in at once read the same count, and one of
 * their updates is lost. That, and a token that does not rise, is how a broken lock shows.
 */
public final class ProtectedCounters {

  /** Cells lie apart, or neighbours would slow each other down through their cache line. */
  private static final int CELL = 128;

  private static final int TOKEN = Long.BYTES;

  /** Opaque: neither atomic nor ordered, but really read and written, also by other processes. */
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final ByteBuffer cells;
  private final int size;

  private ProtectedCounters(ByteBuffer cells, int size) {
    this.cells = cells;
    this.size = size;
  }

  /** A ledger of this process. */
  static ProtectedCounters inMemory(int size) {
    return new ProtectedCounters(ByteBuffer.allocateDirect(size * CELL), size);
  }

  /** A ledger that all processes which open this file share; made if it is not there. */
  public static ProtectedCounters inFile(Path file, int size) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long bytes = (long) size * CELL;
      return new ProtectedCounters(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes), size);
    }
  }

  /** The first half of an update, at the beginning of the protected section. */
  public long read(int cell) {
    return (long) LONGS.getOpaque(cells, cell * CELL);
  }

  /** The second half, at its end. */
  public void write(int cell, long count) {
    LONGS.setOpaque(cells, cell * CELL, count);
  }

  /** Records a token, within the protected section; returns whether it is above the last one. */
  boolean rises(int cell, long token) {
    int at = cell * CELL + TOKEN;
    long last = (long) LONGS.getOpaque(cells, at);
    LONGS.setOpaque(cells, at, token);
    return token > last;
  }

  /** All counts. */
  public long[] counts() {
    long[] counts = new long[size];
    for (int cell = 0; cell < size; cell++) {
      counts[cell] = read(cell);
    }
    return counts;
  }

  /**
   * Compares what was counted with what was done.
   *
   * @param before the counts when it began
   * @param done how often each name was held since
   * @return what is wrong, for people
   */
  public List<String> audit(long[] before, long[] done) {
    List<String> faults = new ArrayList<>();
    long[] now = counts();
    for (int cell = 0; cell < size; cell++) {
      long counted = now[cell] - before[cell];
      if (counted != done[cell]) {
        faults.add(
            "lost updates: name %d was held %d times, %d updates were counted: two were in at once"
                .formatted(cell, done[cell], counted));
      }
    }
    return faults;
  }
}
