package io.holdfast.torture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Simulates a suspended host for a worker: only its wall clock goes on. A small library, loaded by
 * LD_PRELOAD, takes the time of the stop away from the worker's clock.
 */
final class Suspensions {
  private static final String SOURCE = "suspendshim.c";
  private static final Duration COMPILING = Duration.ofSeconds(60);

  private final Path library;

  private Suspensions(Path library) {
    this.library = library;
  }

  /**
   * Compiles the library into a folder.
   *
   * @throws IllegalStateException when there is no C compiler, or it failed
   */
  static Suspensions create(Path folder) {
    Path source = folder.resolve(SOURCE);
    Path library = folder.resolve("suspendshim.so");
    try (InputStream text = Suspensions.class.getResourceAsStream(SOURCE)) {
      if (text == null) {
        throw new IllegalStateException("no resource " + SOURCE);
      }
      Files.copy(text, source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Commands.run(
        COMPILING,
        List.of(
            "cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl"));
    return new Suspensions(library);
  }

  /** The variables of a worker whose clock is in this file. */
  Map<String, String> environment(Path file) {
    return Map.of("LD_PRELOAD", library.toString(), MachineClock.VARIABLE, file.toString());
  }

  /** Says how long a worker's clock has stood still in all; only while it is stopped. */
  static void write(Path file, long nanos) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, nanos);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      int ignored = channel.write(bytes, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
