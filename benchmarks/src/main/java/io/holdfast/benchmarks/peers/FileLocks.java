package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * File locks of the operating system: the floor among processes of one machine.
 *
 * <p>The system does not exclude threads of one process, so these queue at a local lock first.
 */
final class FileLocks implements Contender.Session {

  private record LockFile(FileChannel channel, ReentrantLock local) {}

  private record Held(LockFile file, FileLock lock) {}

  private final Path folder;
  private final ConcurrentMap<String, LockFile> byName = new ConcurrentHashMap<>();

  FileLocks(Path folder) {
    this.folder = folder;
  }

  @Override
  public Contender.Caller caller() {
    return new PeerCaller<>(this::take, FileLocks::giveBack);
  }

  private Held take(String name) throws IOException, InterruptedException {
    LockFile known = byName.get(name);
    LockFile file = known != null ? known : byName.computeIfAbsent(name, this::create);
    file.local().lockInterruptibly();
    try {
      return new Held(file, file.channel().lock());
    } catch (IOException | RuntimeException e) {
      file.local().unlock();
      throw e;
    }
  }

  private static void giveBack(Held held) throws IOException {
    try {
      held.lock().release();
    } finally {
      held.file().local().unlock();
    }
  }

  private LockFile create(String name) {
    String file =
        Base64.getUrlEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8)) + ".lock";
    try {
      FileChannel channel =
          FileChannel.open(
              folder.resolve(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      return new LockFile(channel, new ReentrantLock());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (LockFile file : byName.values()) {
      file.channel().close();
    }
  }
}
