package io.holdfast.rig.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A program that a Debian package brings.
 *
 * @param folders where to look after the PATH; each may have one {@code *} as a whole segment
 */
public record Program(String name, String debianPackage, List<String> folders) {
  // Servers live in sbin, which is not on every user's PATH.
  private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/sbin");

  /** Copies the list. */
  public Program {
    folders = List.copyOf(folders);
  }

  /** A program found on the PATH or in the system's sbin folders. */
  public static Program of(String name, String debianPackage) {
    return new Program(name, debianPackage, SYSTEM_FOLDERS);
  }

  /**
   * Also looks in this folder, such as {@code /usr/lib/postgresql/*}{@code /bin}; of several
   * matches the one with the highest number wins.
   */
  public Program alsoIn(String folder) {
    List<String> more = new ArrayList<>(folders);
    more.add(folder);
    return new Program(name, debianPackage, more);
  }

  /**
   * Returns where the program is.
   *
   * @throws IllegalStateException when it is nowhere; the message names the package to install
   */
  public Path find() {
    return locate()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the program %s is neither on the PATH nor in %s; it comes with the Debian"
                            .formatted(name, folders)
                        + " package %s: apt-get install %s"
                            .formatted(debianPackage, debianPackage)));
  }

  /** Returns where the program is, or nothing. */
  public Optional<Path> locate() {
    List<Path> candidates = new ArrayList<>();
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    for (String folder : path.split(File.pathSeparator, -1)) {
      if (!folder.isEmpty()) {
        candidates.add(Path.of(folder));
      }
    }
    folders.forEach(folder -> candidates.addAll(matches(folder)));
    return candidates.stream()
        .map(folder -> folder.resolve(name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  private static List<Path> matches(String folder) {
    int star = folder.indexOf("/*");
    if (star < 0) {
      return List.of(Path.of(folder));
    }
    Path parent = Path.of(folder.substring(0, star));
    if (!Files.isDirectory(parent)) {
      return List.of();
    }
    String rest = folder.substring(star + 2);
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(parent)) {
      children.forEach(child -> found.add(Path.of(child + rest)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Longer first, so that 15 comes before 9.
    Comparator<Path> byLength = Comparator.comparingInt(p -> p.toString().length());
    found.sort(byLength.thenComparing(Comparator.naturalOrder()).reversed());
    return found;
  }
}
