package io.holdfast.torture;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The monotonic clock of the machine, the same for all processes. It holds in a worker, too, whose
 * own clock {@link Suspensions} has stopped.
 */
final class MachineClock {
  /** Where a worker finds how much its own clock has stood still. */
  static final String VARIABLE = "HOLDFAST_TORTURE_CLOCK";

  private static final @Nullable MappedByteBuffer MISSING = map(System.getenv(VARIABLE));

  private MachineClock() {}

  private static @Nullable MappedByteBuffer map(@Nullable String file) {
    if (file == null) {
      return null;
    }
    try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.READ)) {
      MappedByteBuffer buffer = channel.map(FileChannel.MapMode.READ_ONLY, 0, Long.BYTES);
      buffer.order(ByteOrder.nativeOrder());
      return buffer;
    } catch (IOException e) {
      throw new IllegalStateException("no file of the worker's clock: " + file, e);
    }
  }

  /** Nanoseconds; comparable between all processes of the machine. */
  static long nanos() {
    if (MISSING == null) {
      return System.nanoTime();
    }
    while (true) {
      long before = MISSING.getLong(0);
      long own = System.nanoTime();
      // It changes only while this process is stopped: if that was in between, both are read again.
      if (MISSING.getLong(0) == before) {
        return own + before;
      }
    }
  }
}
