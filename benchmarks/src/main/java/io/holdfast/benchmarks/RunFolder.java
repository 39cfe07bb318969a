package io.holdfast.benchmarks;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The temporary folder of one run; deleted by {@link #close} or when the JVM ends. */
final class RunFolder implements AutoCloseable {

  private final Path path;
  private final Thread atShutdown = new Thread(this::deleteQuietly, "bench-folder");

  private RunFolder(Path path) {
    this.path = path;
  }

  static RunFolder create() throws IOException {
    RunFolder folder = new RunFolder(Files.createTempDirectory("holdfast-bench-"));
    Runtime.getRuntime().addShutdownHook(folder.atShutdown);
    return folder;
  }

  Path path() {
    return path;
  }

  /** Deletes it and the files in it; there are no folders in it. */
  @Override
  public void close() throws IOException {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(atShutdown);
    } catch (IllegalStateException e) {
      // The JVM is going down already: the hook finds nothing to do.
    }
  }

  private void delete() throws IOException {
    if (!Files.isDirectory(path)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(path);
  }

  private void deleteQuietly() {
    try {
      delete();
    } catch (IOException e) {
      System.err.println("bench: not deleted: " + path + ": " + e);
    }
  }
}
