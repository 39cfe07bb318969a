package io.holdfast.server.audit;

import io.holdfast.spi.support.Bounds;
import java.nio.file.Path;

/**
 * Where the audit is kept, and how much of it.
 *
 * @param file the newest entries; older ones are in {@code FILE.1}, {@code FILE.2} and so on
 * @param maxBytes the size at which a new file is begun
 * @param files how many files are kept, the newest included
 * @param queue how many entries may wait to be written before entries are dropped
 */
public record AuditSettings(Path file, long maxBytes, int files, int queue) {

  private static final long LEAST_BYTES = 1024;
  private static final long MOST_BYTES = 1L << 40;
  private static final int MOST_FILES = 200;
  private static final int MOST_QUEUE = 10_000_000;

  private static final long DEFAULT_BYTES = 16 << 20;
  private static final int DEFAULT_FILES = 16;
  private static final int DEFAULT_QUEUE = 16_384;

  public AuditSettings {
    Bounds.require("maxBytes", maxBytes, LEAST_BYTES, MOST_BYTES);
    Bounds.require("files", files, 1, MOST_FILES);
    Bounds.require("queue", queue, 1, MOST_QUEUE);
  }

  /** Returns the defaults: 16 files of 16 MiB. */
  public static AuditSettings defaults(Path file) {
    return new AuditSettings(file, DEFAULT_BYTES, DEFAULT_FILES, DEFAULT_QUEUE);
  }

  /** Returns the n-th file, counted from the newest as 0. */
  Path nth(int n) {
    return n == 0 ? file : file.resolveSibling(file.getFileName() + "." + n);
  }
}
