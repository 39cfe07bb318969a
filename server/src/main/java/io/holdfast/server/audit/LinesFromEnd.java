package io.holdfast.server.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Optional;

/** The lines of a file, the last one first. The file may grow meanwhile; that is not seen. */
final class LinesFromEnd {

  private static final int BLOCK = 64 << 10;

  private final FileChannel file;
  // What was read and not returned: [0, end) of it, which begins at this position of the file.
  private byte[] bytes = {};
  private int end;
  private long position;

  LinesFromEnd(FileChannel file) throws IOException {
    this.file = file;
    this.position = file.size();
    // What follows the last line feed is being written now.
    Optional<byte[]> unfinished = next();
    if (unfinished.isEmpty()) {
      end = 0;
    }
  }

  /** Returns the line before, without its line feed, or nothing at the beginning of the file. */
  Optional<byte[]> next() throws IOException {
    int searched = end;
    while (true) {
      for (int i = searched - 1; i >= 0; i--) {
        if (bytes[i] == '\n') {
          byte[] line = Arrays.copyOfRange(bytes, i + 1, end);
          end = i;
          return Optional.of(line);
        }
      }
      if (position == 0) {
        break;
      }
      searched = readBlock();
    }
    if (end == 0) {
      return Optional.empty();
    }
    byte[] line = Arrays.copyOf(bytes, end);
    end = 0;
    return Optional.of(line);
  }

  /** Puts the block before in front of what is there, and returns its length. */
  private int readBlock() throws IOException {
    int length = (int) Math.min(BLOCK, position);
    position -= length;
    byte[] joined = new byte[length + end];
    System.arraycopy(bytes, 0, joined, length, end);
    ByteBuffer block = ByteBuffer.wrap(joined, 0, length);
    while (block.hasRemaining()) {
      if (file.read(block, position + block.position()) < 0) {
        throw new IOException("a file of the audit became shorter while it was read");
      }
    }
    bytes = joined;
    end = joined.length;
    return length;
  }

  /** Returns the first line of a file, if it has a whole one that is not longer than a block. */
  static Optional<byte[]> first(FileChannel file) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    int length = Math.max(file.read(block, 0), 0);
    for (int i = 0; i < length; i++) {
      if (block.get(i) == '\n') {
        return Optional.of(Arrays.copyOf(block.array(), i));
      }
    }
    return Optional.empty();
  }
}
