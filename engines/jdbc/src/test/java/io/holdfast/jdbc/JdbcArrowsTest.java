package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules of the house: who depends on whom, how large things are, what is documented. */
class JdbcArrowsTest {

  private static final Path SOURCES = Path.of("src/main/java");
  private static final String OURS = "io.holdfast.jdbc";
  private static final int MOST_LINES = 300;
  private static final int MOST_LINES_OF_A_METHOD = 30;
  private static final Pattern TYPE = Pattern.compile("\\b(class|interface|enum|record) [A-Z]");

  private static JavaClasses engine;

  @BeforeAll
  static void read() throws Exception {
    var location = JdbcEngine.class.getProtectionDomain().getCodeSource().getLocation();
    engine =
        new ClassFileImporter()
            .withImportOption(at -> !at.contains("test-classes"))
            .importPath(Path.of(location.toURI()));
  }

  private static Stream<Dependency> dependencies(Predicate<JavaClass> from) {
    return engine.stream()
        .filter(type -> type.getPackageName().startsWith(OURS))
        .filter(from)
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream());
  }

  private static String target(Dependency dependency) {
    return dependency.getTargetClass().getBaseComponentType().getName();
  }

  private static boolean isOf(JavaClass type, String part) {
    return type.getPackageName().equals(OURS + part);
  }

  private static JavaClass top(JavaClass type) {
    return type.getEnclosingClass().map(JdbcArrowsTest::top).orElse(type);
  }

  private static List<String> descriptions(Stream<Dependency> dependencies) {
    return dependencies.map(Dependency::getDescription).toList();
  }

  @Test
  void only_guards_know_more_of_the_core_than_its_spi() {
    assertThat(
            descriptions(
                dependencies(type -> !top(type).getSimpleName().endsWith("FenceGuard"))
                    .filter(dependency -> target(dependency).startsWith("io.holdfast."))
                    .filter(
                        dependency ->
                            !target(dependency).matches("io\\.holdfast\\.(spi|jdbc)\\..*"))))
        .isEmpty();
  }

  @Test
  void dialects_know_nothing_else_of_ours() {
    assertThat(descriptions(within(".dialect", ".dialect"))).isEmpty();
  }

  @Test
  void the_wire_knows_dialects_alone() {
    assertThat(descriptions(within(".wire", ".(wire|dialect)"))).isEmpty();
  }

  @Test
  void tables_know_the_wire_and_dialects_alone() {
    assertThat(descriptions(within(".table", ".(table|wire|dialect)"))).isEmpty();
  }

  /** What a part depends on of ours beside what it may. */
  private static Stream<Dependency> within(String part, String may) {
    return dependencies(type -> isOf(type, part))
        .filter(dependency -> target(dependency).startsWith(OURS + "."))
        .filter(dependency -> !target(dependency).matches("io\\.holdfast\\.jdbc" + may + "\\..*"));
  }

  @Test
  void drivers_are_not_needed_but_to_listen() {
    assertThat(
            dependencies(type -> true)
                .filter(
                    dependency ->
                        target(dependency).matches("org\\.(postgresql|mariadb|h2|sqlite).*"))
                .map(dependency -> top(dependency.getOriginClass()).getSimpleName())
                .distinct())
        .containsExactlyInAnyOrder("PgSession", "PgListener");
  }

  private static Stream<Class<?>> publicTypes() {
    return engine.stream()
        .filter(type -> type.getPackageName().startsWith(OURS))
        .filter(type -> !type.isAnonymousClass() && !type.getSimpleName().equals("package-info"))
        .filter(type -> type.getSource().isPresent())
        .map(JavaClass::reflect)
        .filter(JdbcArrowsTest::isVisible);
  }

  private static boolean isVisible(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getEnclosingClass() == null || isVisible(type.getEnclosingClass()));
  }

  @Test
  void public_types_cannot_be_extended() {
    assertThat(publicTypes()).hasSizeGreaterThan(10);
    assertThat(publicTypes().filter(JdbcArrowsTest::isOpen)).isEmpty();
  }

  private static boolean isOpen(Class<?> type) {
    return !Modifier.isFinal(type.getModifiers())
        && !type.isInterface()
        && !type.isEnum()
        && !type.isSealed();
  }

  @Test
  void every_public_type_is_documented() {
    assertThat(publicTypes()).allSatisfy(JdbcArrowsTest::requireJavadoc);
  }

  private static void requireJavadoc(Class<?> type) throws IOException {
    Class<?> top = type;
    while (top.getEnclosingClass() != null) {
      top = top.getEnclosingClass();
    }
    String source = Files.readString(SOURCES.resolve(top.getName().replace('.', '/') + ".java"));
    String name = "(class|interface|enum|record) " + type.getSimpleName() + "\\b";
    assertThat(Pattern.compile("\\*/\\s+(@\\w+(\\([^)]*\\))?\\s+)*[a-z -]*" + name).matcher(source))
        .as("Javadoc of %s", type)
        .matches(Matcher::find);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void files_are_short() throws IOException {
    assertThat(sources()).hasSizeGreaterThan(20);
    for (Path file : sources()) {
      assertThat(Files.readAllLines(file).size()).as("%s", file).isLessThanOrEqualTo(MOST_LINES);
    }
  }

  @Test
  void methods_are_short() throws IOException {
    for (Path file : sources()) {
      assertThat(longMethods(Files.readAllLines(file))).as("%s", file).isEmpty();
    }
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
}
