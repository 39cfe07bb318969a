package io.holdfast.server.audit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * Reads pages of the audit, the newest entry first. Thread-safe; blocks for the disk.
 *
 * <p>A page reads files from their ends, at most {@value #MAX_BYTES} bytes of them, so that a rare
 * entry does not make one request read everything.
 */
public final class AuditReader {

  /** How much one page looks through. */
  static final long MAX_BYTES = 8 << 20;

  private final AuditSettings settings;
  private final Lock notRenaming;
  private final long maxBytes;

  AuditReader(AuditSettings settings, Lock notRenaming) {
    this(settings, notRenaming, MAX_BYTES);
  }

  AuditReader(AuditSettings settings, Lock notRenaming, long maxBytes) {
    this.settings = settings;
    this.notRenaming = notRenaming;
    this.maxBytes = maxBytes;
  }

  /** Returns a page. */
  public AuditPage page(AuditQuery query) throws IOException {
    List<FileChannel> files = open();
    try {
      return page(query, files);
    } finally {
      for (FileChannel file : files) {
        file.close();
      }
    }
  }

  /** Opens all files at one moment: an open file stays what it is when it is renamed. */
  private List<FileChannel> open() throws IOException {
    List<FileChannel> files = new ArrayList<>();
    notRenaming.lock();
    try {
      for (int n = 0; n < settings.files(); n++) {
        openIfThere(settings.nth(n)).ifPresent(files::add);
      }
      return files;
    } catch (IOException e) {
      for (FileChannel file : files) {
        file.close();
      }
      throw e;
    } finally {
      notRenaming.unlock();
    }
  }

  /** Any file may be missing: there are not so many yet, or somebody has removed it. */
  private static Optional<FileChannel> openIfThere(Path file) throws IOException {
    try {
      return Optional.of(FileChannel.open(file, StandardOpenOption.READ));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private AuditPage page(AuditQuery query, List<FileChannel> files) throws IOException {
    List<AuditEntry> found = new ArrayList<>();
    int unreadable = 0;
    long looked = 0;
    Optional<Long> last = Optional.empty();
    for (FileChannel file : files) {
      if (isAfter(query, file)) {
        continue;
      }
      LinesFromEnd lines = new LinesFromEnd(file);
      for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
        looked += line.get().length;
        Optional<AuditEntry> entry = AuditJson.read(line.get());
        if (entry.isEmpty()) {
          unreadable++;
          continue;
        }
        if (query.isPastSince(entry.get())) {
          return new AuditPage(found, Optional.empty(), unreadable);
        }
        last = Optional.of(entry.get().number());
        if (query.selects(entry.get())) {
          found.add(entry.get());
        }
        if (found.size() == query.limit() || looked >= maxBytes) {
          return new AuditPage(found, last, unreadable);
        }
      }
    }
    return new AuditPage(found, Optional.empty(), unreadable);
  }

  /** Returns whether all entries of the file are too new, by its first one. */
  private static boolean isAfter(AuditQuery query, FileChannel file) throws IOException {
    return query.before().isPresent()
        && LinesFromEnd.first(file)
            .flatMap(AuditJson::read)
            .map(entry -> entry.number() >= query.before().get())
            .orElse(false);
  }
}
