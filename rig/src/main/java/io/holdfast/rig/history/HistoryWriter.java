package io.holdfast.rig.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the history of one process to a file, one line per event. A line is handed to the kernel
 * before {@link #write} returns, so that a {@code kill -9} loses nothing that was written.
 *
 * <p>May be used by several threads. An interrupt does not close the file.
 */
public final class HistoryWriter implements AutoCloseable {
  private final String process;
  // Not a channel: an interrupt of the writing thread would close that for everyone.
  private final FileOutputStream file;

  private HistoryWriter(String process, FileOutputStream file) {
    this.process = process;
    this.file = file;
  }

  /**
   * Creates the file.
   *
   * @param process unique among the histories that will be merged, also over restarts
   * @throws UncheckedIOException even when the file exists
   */
  public static HistoryWriter create(Path file, String process) {
    try {
      return new HistoryWriter(
          process, new FileOutputStream(Files.createFile(file).toFile(), true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The story of one claim of weight 1. */
  public Trace trace(String lock, String hold) {
    return trace(lock, hold, 1);
  }

  /** The story of one claim. */
  public Trace trace(String lock, String hold, int weight) {
    return new Trace(this, process, lock, hold, weight);
  }

  /** Records that the test killed a process, at the time when the kill returned. */
  public void killed(String victim, long nanos) {
    aboutProcess(victim, nanos, Op.KILLED);
  }

  /** Notes that the test paused a process or cut it off, at the time that it began. */
  public void stalled(String victim, long nanos) {
    aboutProcess(victim, nanos, Op.STALLED);
  }

  /** Writes one event. */
  public void write(Event event) {
    byte[] line = (event.toLine() + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      synchronized (file) {
        file.write(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes the file; what was written stays. */
  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void aboutProcess(String victim, long nanos, Op op) {
    write(new Event(nanos, victim, "", "", 1, op, Phase.INFO, Event.NO_TOKEN, Event.NO_DEADLINE));
  }
}
