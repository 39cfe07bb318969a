package io.holdfast.rig.process;

import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A folder of its own for one child process, gone after {@link #close}. */
public final class TempFolder implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(5);

  private final Path path;
  private final Runnable clearing = this::close;

  private TempFolder(Path path) {
    this.path = path;
  }

  public static TempFolder create(String name) {
    try {
      TempFolder folder =
          new TempFolder(ShortLivedServers.createFolder("holdfast-rig-" + name + "-"));
      ExitCleanup.add(folder.clearing);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path path() {
    return path;
  }

  /** Deletes the folder with all that is in it; idempotent. */
  @Override
  public void close() {
    // Again and again, because the last gasp of a dying process can put a file behind our back.
    Await.until("the deletion of " + path, BOUND, this::delete);
    ExitCleanup.remove(clearing);
  }

  private boolean delete() throws IOException {
    if (Files.exists(path)) {
      Files.walkFileTree(path, new Deletion());
    }
    return !Files.exists(path);
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      if (e != null) {
        throw e;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
