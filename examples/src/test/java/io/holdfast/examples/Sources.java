package io.holdfast.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The text of the examples, line by line and without indentation. */
final class Sources {

  private static final Path HERE = Path.of("").toAbsolutePath();

  /** Maven starts tests in the module's folder, other programs in the project's. */
  private static final Path MODULE = HERE.endsWith("examples") ? HERE : HERE.resolve("examples");

  private Sources() {}

  /** The folder of the whole project. */
  static Path project() {
    return MODULE.resolve("..").normalize();
  }

  /** The examples. */
  static Map<Path, List<String>> main() throws IOException {
    return read(MODULE.resolve("src/main/java"), ".java");
  }

  /** The examples and their tests, and those of Spring, which run with each line of Spring Boot. */
  static Map<Path, List<String>> all() throws IOException {
    Map<Path, List<String>> all = read(MODULE.resolve("src"), ".java");
    all.putAll(
        read(
            project()
                .resolve(
                    "spring/holdfast-spring-boot-starter/src/test/java/io/holdfast/spring/boot/documentation"),
            ".java"));
    return all;
  }

  /** The files in a folder, or that one file; none if there is no such thing. */
  static Map<Path, List<String>> read(Path folder, String ending) throws IOException {
    Map<Path, List<String>> texts = new TreeMap<>();
    if (Files.exists(folder)) {
      try (Stream<Path> found = Files.walk(folder)) {
        for (Path file : found.filter(path -> path.toString().endsWith(ending)).toList()) {
          texts.put(file, Files.readAllLines(file).stream().map(Sources::normalized).toList());
        }
      }
    }
    return texts;
  }

  /** Without indentation, and with one space where there are several. */
  static String normalized(String line) {
    return line.strip().replaceAll("\\s+", " ");
  }
}
