package io.holdfast.ids;

import io.holdfast.ids.internal.BitMixer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/** Ids that were written down by several programs, eight bytes each. */
final class IdFiles {

  private static final int MOST_AT_ONCE = 6_000_000;

  private final List<Path> files;

  IdFiles(List<Path> files) {
    this.files = files;
  }

  long count() throws IOException {
    long bytes = 0;
    for (Path file : files) {
      try (FileChannel channel = FileChannel.open(file)) {
        // A program that was killed may have written half of its last one.
        bytes += channel.size() / Long.BYTES * Long.BYTES;
      }
    }
    return bytes / Long.BYTES;
  }

  /** How many ids are there more than once: looked for part by part, so that each fits. */
  long repeated() throws IOException {
    int parts = (int) (count() / MOST_AT_ONCE) + 1;
    long repeated = 0;
    for (int part = 0; part < parts; part++) {
      long[] some = new long[MOST_AT_ONCE * 2];
      int[] size = {0};
      int mine = part;
      for (Path file : files) {
        read(
            file,
            id -> {
              if (Long.remainderUnsigned(BitMixer.mix(id), parts) == mine) {
                some[size[0]++] = id;
              }
            });
      }
      Arrays.sort(some, 0, size[0]);
      for (int i = 1; i < size[0]; i++) {
        repeated += some[i] == some[i - 1] ? 1 : 0;
      }
    }
    return repeated;
  }

  private static void read(Path file, LongConsumer each) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    try (FileChannel channel = FileChannel.open(file)) {
      while (channel.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.remaining() >= Long.BYTES) {
          each.accept(buffer.getLong());
        }
        buffer.compact();
      }
    }
  }
}
