package io.holdfast.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Locks of the operating system on files of the run's folder: the floor among processes of one
 * machine. The threads of a process, which the system does not keep apart, queue at a local lock.
 */
final class FileLockContender implements Contender {

  @Override
  public String name() {
    return Peers.FILE_LOCK;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) {
    return new LockFiles(folder, new ConcurrentHashMap<>());
  }

  private record Entry(FileChannel channel, ReentrantLock local) {}

  private record LockFiles(Path folder, ConcurrentMap<String, Entry> byName) implements Session {

    @Override
    public Caller caller() {
      return new FileCaller(this);
    }

    Entry named(String name) {
      Entry entry = byName.get(name);
      return entry != null ? entry : byName.computeIfAbsent(name, this::create);
    }

    private Entry create(String name) {
      String file =
          Base64.getUrlEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8)) + ".lock";
      try {
        FileChannel channel =
            FileChannel.open(
                folder.resolve(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        return new Entry(channel, new ReentrantLock());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      for (Entry entry : byName.values()) {
        entry.channel().close();
      }
    }
  }

  private static final class FileCaller implements Caller {
    private final LockFiles files;
    private @Nullable Entry entry;
    private @Nullable FileLock lock;

    FileCaller(LockFiles files) {
      this.files = files;
    }

    @Override
    public long acquire(String name) throws IOException, InterruptedException {
      Entry wanted = files.named(name);
      wanted.local().lockInterruptibly();
      try {
        lock = wanted.channel().lock();
      } catch (IOException | RuntimeException e) {
        wanted.local().unlock();
        throw e;
      }
      entry = wanted;
      return NO_TOKEN;
    }

    @Override
    public void release() throws IOException {
      Entry held = Objects.requireNonNull(entry);
      entry = null;
      try {
        Objects.requireNonNull(lock).release();
      } finally {
        held.local().unlock();
      }
    }
  }
}
