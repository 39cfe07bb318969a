package io.holdfast.server.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Appends lines to the audit's newest file, and begins a new one when it is full.
 *
 * <p>Used by one thread. Two servers must not have the same files, as both would rename them: a
 * lock on a file beside them keeps the second one out.
 */
final class AuditFiles implements AutoCloseable {

  private static final Set<StandardOpenOption> APPEND =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ);

  private final AuditSettings settings;
  private final FileChannel guard;
  // While files are renamed, a reader would meet a file twice or not at all.
  private final ReadWriteLock renaming = new ReentrantReadWriteLock();
  private @Nullable FileChannel out;
  private long size;

  private AuditFiles(AuditSettings settings, FileChannel guard) {
    this.settings = settings;
    this.guard = guard;
  }

  /**
   * Opens the files of a server.
   *
   * @throws IOException when they cannot be opened, or another server has them
   */
  static AuditFiles open(AuditSettings settings) throws IOException {
    Path lockFile = settings.file().resolveSibling(settings.file().getFileName() + ".lock");
    FileChannel guard =
        FileChannel.open(
            lockFile, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), ownerOnly());
    AuditFiles files = new AuditFiles(settings, guard);
    try {
      if (!isFree(guard)) {
        throw new IOException(
            "another server writes the audit "
                + settings.file()
                + ": name a file of its own for each server");
      }
      files.reopen();
      return files;
    } catch (IOException e) {
      guard.close();
      throw e;
    }
  }

  private static boolean isFree(FileChannel guard) throws IOException {
    try {
      @Nullable FileLock lock = guard.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** Returns the lock that a reader holds while it opens the files. */
  ReadWriteLock renaming() {
    return renaming;
  }

  /** Appends whole lines, which stay in one file. */
  void append(byte[] lines) throws IOException {
    if (out == null) {
      reopen();
    }
    if (size > 0 && size + lines.length > settings.maxBytes()) {
      rotate();
    }
    FileChannel to = out;
    if (to == null) {
      throw new IOException("the audit " + settings.file() + " is closed");
    }
    ByteBuffer bytes = ByteBuffer.wrap(lines);
    while (bytes.hasRemaining()) {
      size += to.write(bytes, size);
    }
  }

  /** After a failed write: the next one opens the file again and begins a line of its own. */
  void recover() {
    closeOut();
  }

  private void reopen() throws IOException {
    FileChannel opened = FileChannel.open(settings.file(), APPEND, ownerOnly());
    try {
      size = endOfLines(opened);
      out = opened;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  /** Ends a last line that a crash or a full disk has cut off, and returns the size. */
  private static long endOfLines(FileChannel file) throws IOException {
    long its = file.size();
    if (its == 0) {
      return 0;
    }
    ByteBuffer last = ByteBuffer.allocate(1);
    file.read(last, its - 1);
    return last.get(0) == '\n' ? its : its + file.write(ByteBuffer.wrap(new byte[] {'\n'}), its);
  }

  private void rotate() throws IOException {
    closeOut();
    renaming.writeLock().lock();
    try {
      int free = 1;
      while (free < settings.files() - 1 && Files.exists(settings.nth(free))) {
        free++;
      }
      for (int n = Math.min(free, settings.files() - 1); n > 0; n--) {
        move(settings.nth(n - 1), settings.nth(n));
      }
      if (settings.files() == 1) {
        Files.deleteIfExists(settings.file());
      }
      reopen();
    } finally {
      renaming.writeLock().unlock();
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (NoSuchFileException e) {
      // Somebody has removed it.
      return;
    }
  }

  /** Sends what was written to the disk, and notices that somebody has moved the file away. */
  void force() throws IOException {
    FileChannel to = out;
    if (to != null) {
      to.force(false);
      if (Files.notExists(settings.file())) {
        closeOut();
      }
    }
  }

  private void closeOut() {
    FileChannel to = out;
    out = null;
    if (to != null) {
      try {
        to.close();
      } catch (IOException e) {
        // What was written is in the file; what was not is reported by its write.
        return;
      }
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  @Override
  public void close() throws IOException {
    try {
      force();
    } finally {
      closeOut();
      guard.close();
    }
  }
}
