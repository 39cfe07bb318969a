package io.holdfast.rig.servers;

import io.holdfast.rig.process.Program;
import io.holdfast.rig.process.ServerLocation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock for servers that can be stepped while they run. It runs like the machine's own.
 * Their monotonic clocks stay as they are.
 *
 * <p>It is a small library, compiled by gcc when the clock is made and loaded into the server by
 * LD_PRELOAD. Several servers may share one clock. Close it after them.
 */
public final class ServerClock implements AutoCloseable {
  private static final Program GCC = Program.of("gcc", "gcc");
  private static final Duration COMPILING = Duration.ofSeconds(30);
  private static final String SOURCE = "clockshim.c";

  private final ServerLocation place;
  private final Path offsetFile;
  private Duration offset = Duration.ZERO;

  private ServerClock(ServerLocation place) {
    this.place = place;
    this.offsetFile = place.folder().resolve("offset");
  }

  /** Whether there is a compiler to make one; tests that need a clock assume this. */
  public static boolean isAvailable() {
    return GCC.locate().isPresent();
  }

  /**
   * Makes a clock that shows the right time.
   *
   * @throws IllegalStateException when there is no gcc, naming the package to install, or when it
   *     failed
   */
  public static ServerClock create() {
    Path gcc = GCC.find();
    ServerLocation place = new ServerLocation("clock", 0, Optional.empty());
    try {
      ServerClock clock = new ServerClock(place);
      clock.compile(gcc.toString());
      clock.write();
      clock.letOthersRead();
      return clock;
    } catch (RuntimeException | AssertionError e) {
      place.delete();
      throw e;
    }
  }

  /** Sets it forward, or back if negative, from where it is; in force when the method returns. */
  public synchronized void step(Duration by) {
    offset = offset.plus(by);
    write();
  }

  /** How far it is ahead of the machine's clock. */
  public synchronized Duration offset() {
    return offset;
  }

  /** The variables that make a server use it. */
  public Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library().toString(), "HOLDFAST_CLOCK", offsetFile.toString());
  }

  /** Deletes its files. */
  @Override
  public void close() {
    place.delete();
  }

  private Path library() {
    return place.folder().resolve("clockshim.so");
  }

  private void compile(String gcc) {
    Path source = place.folder().resolve(SOURCE);
    try (InputStream text = ServerClock.class.getResourceAsStream(SOURCE)) {
      if (text == null) {
        throw new IllegalStateException("no resource " + SOURCE);
      }
      Files.copy(text, source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    place.run(
        COMPILING,
        List.of(gcc, "-O2", "-shared", "-fPIC", "-o", library().toString(), source.toString()));
  }

  /** Servers that run as another user load the library and look at the offset too. */
  private void letOthersRead() {
    try {
      for (Path file : List.of(place.folder(), library(), offsetFile)) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One write of eight bytes, which the servers see through their mapping of the file. */
  private void write() {
    ByteBuffer nanos =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, offset.toNanos());
    try (FileChannel file =
        FileChannel.open(offsetFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(nanos, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
