package io.holdfast.rig.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks that the public types of a module are documented. */
public final class SourceRules {

  private final Path folder;

  private SourceRules(Path folder) {
    this.folder = folder;
  }

  /** The sources of the module whose test this is. */
  public static SourceRules ofThisModule() {
    return in(Path.of("src/main/java"));
  }

  static SourceRules in(Path folder) {
    return new SourceRules(folder);
  }

  /** All files of Java. */
  public List<Path> files() {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the names of the given types that have no Javadoc. */
  public List<String> undocumented(List<Class<?>> types) {
    return types.stream().filter(type -> !isDocumented(type)).map(Class::getName).toList();
  }

  private boolean isDocumented(Class<?> type) {
    Class<?> top = type;
    while (top.getEnclosingClass() != null) {
      top = top.getEnclosingClass();
    }
    Path file = folder.resolve(top.getName().replace('.', '/') + ".java");
    String name = "(class|interface|enum|record) " + type.getSimpleName() + "\\b";
    return Pattern.compile("\\*/\\s+(@\\w+(\\([^)]*\\))?\\s+)*[a-z -]*" + name)
        .matcher(String.join("\n", lines(file)))
        .find();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
