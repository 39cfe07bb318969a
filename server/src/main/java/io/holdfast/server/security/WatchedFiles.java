package io.holdfast.server.security;

import io.holdfast.spi.support.BackgroundLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A value made from the content of some files, and made again when the content changes.
 *
 * <p>Content is compared, not time stamps: tools that replace a file may keep its time and size,
 * and links may be switched to another file. A change counts when two looks in a row saw the same
 * content, so a file that is being written is not used half-way.
 *
 * <p>A change that cannot be used changes nothing: the old value stays, and the reason is logged
 * once and reported as {@link #problem}. Thread-safe.
 *
 * @param <T> the value
 */
final class WatchedFiles<T> implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(WatchedFiles.class.getName());
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final int MAX_BYTES = 1 << 20;

  /** Makes the value from the content of the files, in their order. */
  @FunctionalInterface
  interface Loader<T> {
    T load(List<byte[]> contents) throws IOException, GeneralSecurityException;
  }

  /** Puts a new value into use. */
  @FunctionalInterface
  interface Change<T> {
    void use(T value) throws GeneralSecurityException;
  }

  private final String what;
  private final List<Path> files;
  private final Loader<T> loader;
  private final Change<T> change;
  private final BackgroundLoop loop;
  private final ReentrantLock looking = new ReentrantLock();
  private volatile T current;
  private volatile Optional<String> problem = Optional.empty();
  // Guarded by the lock.
  private byte[] used;
  private byte @Nullable [] seenOnce;
  private byte @Nullable [] unusable;

  /**
   * Reads the files for the first time.
   *
   * @param what the name of the files in messages, such as {@code auth file}
   * @throws IllegalArgumentException when they cannot be used
   */
  WatchedFiles(String what, List<Path> files, Loader<T> loader, Change<T> change) {
    this.what = what;
    this.files = List.copyOf(files);
    this.loader = loader;
    this.change = change;
    this.loop = new BackgroundLoop("holdfast-" + what.replace(' ', '-'), Thread::new, this::step);
    try {
      List<byte[]> contents = read();
      this.used = fingerprint(contents);
      this.current = loader.load(contents);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(reason(e), e);
    }
  }

  T current() {
    return current;
  }

  Optional<String> problem() {
    return problem;
  }

  void start() {
    loop.start();
  }

  private long step() {
    look();
    return INTERVAL.toNanos();
  }

  /** Looks at the files now. */
  void look() {
    looking.lock();
    try {
      List<byte[]> contents = read();
      byte[] now = fingerprint(contents);
      if (MessageDigest.isEqual(now, used)) {
        settled();
      } else if (!MessageDigest.isEqual(now, seenOnce)) {
        seenOnce = now;
      } else if (!MessageDigest.isEqual(now, unusable)) {
        replace(contents, now);
      }
    } catch (IOException e) {
      seenOnce = null;
      unusable = null;
      report(e);
    } finally {
      looking.unlock();
    }
  }

  private void settled() {
    seenOnce = null;
    unusable = null;
    if (problem.isPresent()) {
      problem = Optional.empty();
      LOG.log(Level.INFO, what + " " + names() + " is as it was again");
    }
  }

  private void replace(List<byte[]> contents, byte[] now) {
    try {
      T value = loader.load(contents);
      change.use(value);
      current = value;
      used = now;
      seenOnce = null;
      unusable = null;
      problem = Optional.empty();
      LOG.log(Level.INFO, what + " " + names() + " was read again: " + value);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      unusable = now;
      report(e);
    }
  }

  private void report(Exception e) {
    Optional<String> now = Optional.of(reason(e));
    if (!problem.equals(now)) {
      problem = now;
      LOG.log(Level.WARNING, "the old " + what + " stays in use: " + now.get());
    }
  }

  private String reason(Exception e) {
    String cause =
        e instanceof NoSuchFileException missing
            ? missing.getFile() + " does not exist"
            : e instanceof IllegalArgumentException ? String.valueOf(e.getMessage()) : e.toString();
    return what + " " + names() + " cannot be used: " + cause;
  }

  private String names() {
    return files.stream().map(Path::toString).collect(Collectors.joining(" and "));
  }

  private List<byte[]> read() throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file)) {
        byte[] content = in.readNBytes(MAX_BYTES + 1);
        if (content.length > MAX_BYTES) {
          throw new IOException(file + " must be at most " + MAX_BYTES + " bytes");
        }
        contents.add(content);
      }
    }
    return contents;
  }

  private static byte[] fingerprint(List<byte[]> contents) {
    ByteArrayOutputStream hashes = new ByteArrayOutputStream();
    contents.forEach(content -> hashes.writeBytes(TokenHash.sha256(content)));
    return hashes.toByteArray();
  }

  @Override
  public void close() {
    loop.close();
  }
}
