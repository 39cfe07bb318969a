package io.holdfast.rig.checks;

import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.Trace;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A client of a lock that is a file: {@code lock} takes the operating system's lock of the file,
 * {@code none} forgets to. Its token is the number in the file.
 */
final class SharedFileClient {
  private static final int SECTIONS = 40;

  private final RandomAccessFile file;
  private final boolean right;

  private SharedFileClient(Path file, boolean right) throws IOException {
    this.file = new RandomAccessFile(file.toFile(), "rw");
    this.right = right;
  }

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    String name = arguments[1];
    try (HistoryWriter writer = HistoryWriter.create(folder.resolve(name), name)) {
      SharedFileClient client =
          new SharedFileClient(folder.resolve("shared"), arguments[2].equals("lock"));
      System.out.println("ready");
      int start = System.in.read();
      for (int i = 0; i < SECTIONS && start >= 0; i++) {
        client.section(writer.trace("file", name + "-" + i));
      }
    }
  }

  private void section(Trace trace) throws IOException {
    trace.acquiring();
    FileLock lock = right ? file.getChannel().lock() : null;
    long token = next();
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    trace.acquired(token, deadline);
    trace.writing(token);
    long written = System.nanoTime();
    Await.until("some work", Duration.ofSeconds(5), () -> System.nanoTime() - written > 2_000_000);
    trace.written(token);
    trace.releasing();
    if (lock != null) {
      lock.release();
    }
    trace.released();
  }

  private long next() throws IOException {
    file.seek(0);
    long token = file.length() < Long.BYTES ? 1 : file.readLong() + 1;
    file.seek(0);
    file.writeLong(token);
    return token;
  }
}
