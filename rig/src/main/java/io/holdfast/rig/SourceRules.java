package io.holdfast.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How long a module's files and methods may be, and that its public types are documented. All
 * answers are lists of what breaks a rule, in words, empty when nothing does.
 */
public final class SourceRules {

  private static final int MOST_LINES = 300;
  private static final int MOST_LINES_OF_A_METHOD = 30;
  private static final Pattern TYPE = Pattern.compile("\\b(class|interface|enum|record) [A-Z]");

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

  /** Files of more than 300 lines. */
  public List<String> longFiles() {
    return breaking(
        lines -> lines.size() > MOST_LINES ? List.of(lines.size() + " lines") : List.<String>of());
  }

  /** Methods of more than 30 lines. */
  public List<String> longMethods() {
    return breaking(SourceRules::longMethods);
  }

  /** Those of the types that have no Javadoc. */
  public List<String> undocumented(List<Class<?>> types) {
    return types.stream().filter(type -> !isDocumented(type)).map(Class::getName).toList();
  }

  private List<String> breaking(Function<List<String>, List<String>> rule) {
    return files().stream()
        .flatMap(file -> rule.apply(lines(file)).stream().map(what -> file + ": " + what))
        .toList();
  }

  /** A block ends at the indentation at which it began, as the formatter sees to. */
  private static List<String> longMethods(List<String> lines) {
    List<String> found = new ArrayList<>();
    for (int end = 0; end < lines.size(); end++) {
      if (!lines.get(end).matches(" {2}( {2})?}")) {
        continue;
      }
      int start = end - 1;
      while (indent(lines.get(start)) != indent(lines.get(end))) {
        start--;
      }
      boolean isType = TYPE.matcher(lines.get(start)).find();
      if (!isType && end - start + 1 > MOST_LINES_OF_A_METHOD) {
        found.add(lines.get(start).strip());
      }
    }
    return found;
  }

  private static int indent(String line) {
    return line.isBlank() ? -1 : line.length() - line.stripLeading().length();
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
