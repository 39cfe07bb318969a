package io.holdfast.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The JDKs of this machine. */
final class InstalledJdks {

  private static final Path FOLDER = Path.of("/usr/lib/jvm");

  private InstalledJdks() {}

  /** The homes of all of which we know, that of these tests among them; each once. */
  static List<Path> installed() {
    TreeSet<Path> homes = new TreeSet<>();
    try {
      homes.add(Path.of(System.getProperty("java.home")).toRealPath());
      if (Files.isDirectory(FOLDER)) {
        try (Stream<Path> all = Files.list(FOLDER)) {
          for (Path home :
              all.filter(each -> Files.isExecutable(each.resolve("bin/javac"))).toList()) {
            homes.add(home.toRealPath());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ArrayList<>(homes);
  }
}
