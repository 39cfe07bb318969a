package io.holdfast.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes what happened in one process, one line per event. A line is in the kernel's hands when the
 * method returns, so that a kill takes nothing away. May be used by several threads.
 *
 * <p>Times come from {@link MachineClock}: one clock for all processes. {@link LogReader} reads it.
 */
final class BeliefLog implements AutoCloseable {
  private final FileChannel file;
  private final AtomicLong calls = new AtomicLong();

  BeliefLog(Path path) throws IOException {
    this.file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  void started(long pid) {
    write("start " + MachineClock.nanos() + " " + pid);
  }

  /** Everything is over, and the client is closed. */
  void ended() {
    write("end " + MachineClock.nanos());
  }

  /** Just before a call; returns its number. */
  long called(TestedLock testedLock, boolean exclusive, long waitMillis) {
    long call = calls.incrementAndGet();
    String mode = exclusive ? "exclusive" : "shared";
    write(
        "call %d %s %s %d %d"
            .formatted(call, testedLock.name(), mode, waitMillis, MachineClock.nanos()));
    return call;
  }

  /**
   * A call returned with a hold.
   *
   * @param at read after the return
   */
  void granted(long call, long at, long token, String holdId) {
    write("granted %d %d %d %s".formatted(call, at, token, holdId));
  }

  /** A call returned without a hold. */
  void notGranted(long call, String why) {
    write("not-granted %d %d %s".formatted(call, MachineClock.nanos(), why));
  }

  /**
   * A look at {@code isHeld()} was true.
   *
   * @param before read before the look
   */
  void believed(long call, long before) {
    write("believed %d %d".formatted(call, before));
  }

  /** A look was false, and this process has not released. */
  void disbelieved(long call) {
    write("disbelieved %d %d".formatted(call, MachineClock.nanos()));
  }

  /** The loss callback came. */
  void told(long call, String cause) {
    write("told %d %d %s".formatted(call, MachineClock.nanos(), cause));
  }

  /** Just before the release. */
  void releasing(long call) {
    write("releasing %d %d".formatted(call, MachineClock.nanos()));
  }

  /** What a release said. */
  void released(long call, String outcome) {
    write("released %d %d %s".formatted(call, MachineClock.nanos(), outcome));
  }

  /** The guard refused a write, and a look after that was still true. */
  void refusedWhileHeld(long call) {
    write("refused-while-held %d %d".formatted(call, MachineClock.nanos()));
  }

  /** The client's health when all threads have ended. */
  void health(String status, int held, int waiting) {
    write("health %d %s %d %d".formatted(MachineClock.nanos(), status, held, waiting));
  }

  /** Something that must not happen. */
  void trouble(String text) {
    write("trouble %d %s".formatted(MachineClock.nanos(), text.replaceAll("\\s+", " ")));
  }

  private synchronized void write(String line) {
    ByteBuffer bytes = UTF_8.encode(line + "\n");
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
