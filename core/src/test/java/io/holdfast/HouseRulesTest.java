package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules of the house: what is public and documented, who depends on whom. */
class HouseRulesTest {

  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern BAD_NAME =
      Pattern.compile(".*(Manager|Helper|Utils?|Base|Impl)|Abstract.*");

  private static JavaClasses core;

  @BeforeAll
  static void readTheCore() throws Exception {
    var location = Holdfast.class.getProtectionDomain().getCodeSource().getLocation();
    core = new ClassFileImporter().importPath(Path.of(location.toURI()));
  }

  private static Stream<Class<?>> publicTypes() {
    return core.stream()
        .filter(type -> !type.isAnonymousClass() && !type.getSimpleName().equals("package-info"))
        .map(JavaClass::reflect)
        .filter(HouseRulesTest::isVisible);
  }

  private static boolean isVisible(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getEnclosingClass() == null || isVisible(type.getEnclosingClass()));
  }

  @Test
  void publicTypesAreFinalOrRecordsEnumsInterfacesOrSealed() {
    assertThat(publicTypes())
        .isNotEmpty()
        .allMatch(
            type ->
                Modifier.isFinal(type.getModifiers())
                    || type.isInterface()
                    || type.isEnum()
                    || type.isSealed());
  }

  @Test
  void noPublicTypeHasANameThatSaysNothing() {
    assertThat(publicTypes().map(Class::getSimpleName))
        .noneMatch(name -> BAD_NAME.matcher(name).matches());
  }

  @Test
  void everyPublicTypeHasJavadoc() {
    assertThat(publicTypes().filter(type -> !type.getPackageName().endsWith("memory")))
        .hasSizeGreaterThan(40)
        .allSatisfy(HouseRulesTest::requireJavadoc);
  }

  private static void requireJavadoc(Class<?> type) {
    Class<?> top = type;
    while (top.getEnclosingClass() != null) {
      top = top.getEnclosingClass();
    }
    String source = read(SOURCES.resolve(top.getName().replace('.', '/') + ".java"));
    Matcher declaration =
        Pattern.compile(
                "(?m)^.*\\b(class|interface|enum|record) " + type.getSimpleName() + "\\b.*$")
            .matcher(source);
    assertThat(declaration.find()).as("declaration of %s", type).isTrue();
    String before = source.substring(0, declaration.start()).stripTrailing();
    String unannotated = before.replaceAll("(\\s*@\\w+(\\([^)]*\\))?)+$", "");
    assertThat(unannotated).as("Javadoc of %s", type).endsWith("*/");
    String comment = unannotated.substring(unannotated.lastIndexOf("/*"));
    assertThat(comment).as("Javadoc of %s", type).startsWith("/**");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireDependencies(String from, String... allowed) {
    List<String> prefixes = List.of(allowed);
    for (JavaClass type : core) {
      if (type.getPackageName().equals(from)) {
        assertThat(type.getDirectDependenciesFromSelf())
            .allSatisfy(
                dependency ->
                    assertThat(
                            prefixes.stream()
                                .anyMatch(dependency.getTargetClass().getPackageName()::startsWith))
                        .as(dependency.getDescription())
                        .isTrue());
      }
    }
  }

  @Test
  void theSpiDependsOnNothingOfOurs() {
    requireDependencies("io.holdfast.spi", "java.", "org.jspecify", "io.holdfast.spi");
  }

  @Test
  void theRuntimeDoesNotKnowTheEngineInMemory() {
    for (JavaClass type : core) {
      if (type.getPackageName().equals("io.holdfast")) {
        assertThat(type.getDirectDependenciesFromSelf())
            .noneMatch(
                dependency ->
                    dependency.getTargetClass().getPackageName().equals("io.holdfast.memory"));
      }
    }
  }

  @Test
  void theCoreNeedsNothingButTheJdk() {
    for (String from : List.of("io.holdfast", "io.holdfast.spi", "io.holdfast.memory")) {
      requireDependencies(from, "java.", "org.jspecify", "io.holdfast");
    }
  }
}
