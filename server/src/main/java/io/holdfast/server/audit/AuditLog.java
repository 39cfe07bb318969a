package io.holdfast.server.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Writes the audit as JSON lines, on a thread of its own. Thread-safe.
 *
 * <p>{@link #record} never waits for the disk: entries wait in a queue, and when that is full they
 * are dropped and counted. How many are missing, and where, is an entry of the audit as soon as
 * there is room again. So neither a slow nor a full disk holds up a verb.
 */
public final class AuditLog implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Duration FORCE_INTERVAL = Duration.ofSeconds(1);
  private static final int MAX_BATCH = 512;

  private final AuditSettings settings;
  private final AuditFiles files;
  private final LongSupplier epochMicros;
  private final Duration closeTimeout;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private final ArrayDeque<AuditEntry> queue = new ArrayDeque<>();
  private final List<Runnable> onceWritten = new ArrayList<>();
  private long lastNumber;
  private long droppedUnreported;
  private long dropped;
  private boolean closing;
  // Of the thread alone.
  private long lastForced = System.nanoTime();
  private volatile Optional<String> problem = Optional.empty();

  private AuditLog(
      AuditSettings settings, AuditFiles files, LongSupplier epochMicros, Duration closeTimeout) {
    this.settings = settings;
    this.files = files;
    this.epochMicros = epochMicros;
    this.closeTimeout = closeTimeout;
    this.thread = new Thread(this::run, "holdfast-audit");
    thread.setDaemon(true);
  }

  /**
   * Opens the audit and goes on after what is in the files.
   *
   * @param epochMicros the wall clock
   * @param closeTimeout how long {@link #close} waits for the disk at most
   * @throws IOException when the files cannot be written, or another server has them
   */
  public static AuditLog open(
      AuditSettings settings, LongSupplier epochMicros, Duration closeTimeout) throws IOException {
    AuditLog log = new AuditLog(settings, AuditFiles.open(settings), epochMicros, closeTimeout);
    // The clock may have gone back since: numbers must not.
    log.lastNumber =
        log.reader().page(AuditQuery.newest(1)).entries().stream()
            .findFirst()
            .map(AuditEntry::number)
            .orElse(0L);
    log.thread.start();
    return log;
  }

  /** Returns a reader of this audit. It sees what was written, not what waits to be. */
  public AuditReader reader() {
    return new AuditReader(settings, files.renaming().readLock());
  }

  /** Notes an entry, and gives it its number and its time. Does not wait for the disk. */
  public void record(AuditEntry entry) {
    lock.lock();
    try {
      if (queue.size() >= settings.queue() || closing) {
        dropped++;
        droppedUnreported++;
        return;
      }
      reportDropped();
      queue.add(numbered(entry));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private AuditEntry numbered(AuditEntry entry) {
    long micros = epochMicros.getAsLong();
    lastNumber = Math.max(lastNumber + 1, micros);
    Instant time = Instant.EPOCH.plusNanos(TimeUnit.MICROSECONDS.toNanos(micros));
    return entry.at(lastNumber, time);
  }

  private void reportDropped() {
    if (droppedUnreported > 0) {
      queue.add(
          numbered(
              AuditEntry.of(
                  AuditEntry.What.DROPPED,
                  AuditEntry.SERVICE,
                  Optional.empty(),
                  0,
                  "",
                  droppedUnreported + " entries are missing before this one")));
      droppedUnreported = 0;
    }
  }

  /** Returns how many entries were dropped since the start. */
  public long dropped() {
    lock.lock();
    try {
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  /** Returns why the audit cannot be written now, if so. */
  public Optional<String> problem() {
    return problem;
  }

  /** Runs the action when everything that was recorded before is in the files. */
  void whenWritten(Runnable action) {
    lock.lock();
    try {
      onceWritten.add(action);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (writeNext()) {
        // Until it is closed and empty.
      }
    } catch (InterruptedException e) {
      LOG.log(Level.WARNING, "the thread of the audit was interrupted; what waits is not written");
    } finally {
      closeFiles();
    }
  }

  private boolean writeNext() throws InterruptedException {
    List<AuditEntry> batch = new ArrayList<>();
    List<Runnable> written;
    lock.lock();
    try {
      while (queue.isEmpty() && onceWritten.isEmpty() && !closing) {
        changed.await();
      }
      if (closing) {
        reportDropped();
      }
      while (!queue.isEmpty() && batch.size() < MAX_BATCH) {
        batch.add(queue.poll());
      }
      written = queue.isEmpty() ? List.copyOf(onceWritten) : List.of();
      onceWritten.removeAll(written);
      if (batch.isEmpty() && written.isEmpty()) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    boolean done = write(batch);
    written.forEach(Runnable::run);
    return done || isOpen();
  }

  private boolean isOpen() {
    lock.lock();
    try {
      return !closing;
    } finally {
      lock.unlock();
    }
  }

  /** Writes all of it, again and again while the disk fails. Gives up when the log is closed. */
  private boolean write(List<AuditEntry> batch) throws InterruptedException {
    int next = 0;
    while (next < batch.size()) {
      try {
        next = writeFrom(batch, next);
        forceNowAndThen();
        if (problem.isPresent()) {
          problem = Optional.empty();
          LOG.log(Level.INFO, "the audit " + settings.file() + " is written again");
        }
      } catch (IOException e) {
        if (!failed(e, batch.size() - next)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Not for every entry: the store may be on the same disk. */
  private void forceNowAndThen() throws IOException {
    long now = System.nanoTime();
    if (now - lastForced >= FORCE_INTERVAL.toNanos()) {
      files.force();
      lastForced = now;
    }
  }

  /** Writes as many lines as one file has room for, and returns the index of the next one. */
  private int writeFrom(List<AuditEntry> batch, int first) throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    int next = first;
    while (next < batch.size()) {
      byte[] line = AuditJson.line(batch.get(next));
      if (lines.size() > 0 && lines.size() + line.length > settings.maxBytes() / 2) {
        break;
      }
      lines.writeBytes(line);
      next++;
    }
    files.append(lines.toByteArray());
    return next;
  }

  /** Pauses after a failure. Returns whether to try again. */
  private boolean failed(IOException e, int lines) throws InterruptedException {
    files.recover();
    if (problem.isEmpty()) {
      problem = Optional.of("the audit " + settings.file() + " cannot be written: " + e);
      LOG.log(Level.WARNING, problem.get() + "; what does not fit into memory will be missing");
    }
    lock.lock();
    try {
      long left = AFTER_FAILURE.toNanos();
      while (left > 0 && !closing) {
        left = changed.awaitNanos(left);
      }
      if (closing) {
        LOG.log(
            Level.WARNING,
            "the audit "
                + settings.file()
                + " lacks its last "
                + (lines + queue.size())
                + " entries");
        dropped += lines + queue.size();
        queue.clear();
      }
      return !closing;
    } finally {
      lock.unlock();
    }
  }

  private void closeFiles() {
    try {
      files.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the audit " + settings.file() + " was not closed", e);
    }
  }

  /** Writes what waits, and closes the files. What is recorded afterwards is dropped. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(closeTimeout.toMillis());
      if (thread.isAlive()) {
        LOG.log(Level.WARNING, "the audit " + settings.file() + " is not written to its end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
