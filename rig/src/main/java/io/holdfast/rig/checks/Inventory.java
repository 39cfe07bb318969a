package io.holdfast.rig.checks;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * Lists the current items of one kind, such as keys, threads or connections.
 *
 * @param name what they are
 * @param list their names; several may have the same
 */
public record Inventory(String name, Callable<? extends Collection<String>> list) {
  // They stay for a minute after their last work, or for good.
  private static final List<String> SHARED =
      List.of("process reaper", "ForkJoinPool.commonPool-", "junit-");

  /** The live threads of this JVM, without the shared threads of the JDK and JUnit. */
  public static Inventory threads() {
    return threads("threads", name -> SHARED.stream().noneMatch(name::startsWith));
  }

  /** The live threads of this JVM whose names begin so. */
  public static Inventory threadsNamed(String prefix) {
    return threads("threads " + prefix + "*", name -> name.startsWith(prefix));
  }

  private static Inventory threads(String what, Predicate<String> counts) {
    return new Inventory(
        what,
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(counts)
                .toList());
  }

  /**
   * The open files and sockets of a process, by {@code /proc}, without the jars that a JVM opens
   * when it first needs them.
   */
  public static Inventory fileDescriptors(long pid) {
    Path folder = Path.of("/proc/" + pid + "/fd");
    return new Inventory("file descriptors of " + pid, () -> targets(folder));
  }

  /** The files in a folder; none if it does not exist. */
  public static Inventory files(Path folder) {
    return new Inventory("files in " + folder, () -> children(folder));
  }

  private static List<String> children(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        files.forEach(file -> names.add(file.getFileName().toString()));
      }
    }
    return names;
  }

  private static List<String> targets(Path folder) throws IOException {
    List<String> targets = new ArrayList<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(folder)) {
      for (Path descriptor : descriptors) {
        String target = target(descriptor);
        if (!target.endsWith(".jar") && !target.startsWith("/proc/")) {
          targets.add(target);
        }
      }
    }
    return targets;
  }

  private static String target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException e) {
      return "/proc/gone"; // closed while we looked
    }
  }
}
