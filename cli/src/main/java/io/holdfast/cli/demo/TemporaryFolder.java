package io.holdfast.cli.demo;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A folder for the files of this run, created lazily and deleted on close. */
final class TemporaryFolder implements AutoCloseable {

  private @Nullable Path folder;

  /** A file in the folder; it is not made. */
  synchronized Path file(String name) throws IOException {
    if (folder == null) {
      folder = Files.createTempDirectory("holdfast-demo-");
      Path made = folder;
      // Ctrl-C ends this process without coming to close().
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(made), "demo-scratch"));
    }
    return folder.resolve(name);
  }

  @Override
  public synchronized void close() {
    if (folder != null) {
      delete(folder);
    }
  }

  private static void delete(Path made) {
    if (!Files.isDirectory(made)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(made)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(made);
    } catch (IOException e) {
      System.err.println("demo: not deleted: " + made + ": " + e.getMessage());
    }
  }
}
