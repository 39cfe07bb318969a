package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Architecture rules: what is public and documented, and which package depends on which. */
class HouseRulesTest {

  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern BAD_NAME = Pattern.compile(".*(Manager|Helper|Utils?)");

  private static final String RUNTIME = "io.holdfast.runtime";

  private static JavaClasses core;

  @BeforeAll
  static void readTheCore() throws Exception {
    var location = Holdfast.class.getProtectionDomain().getCodeSource().getLocation();
    core = new ClassFileImporter().importPath(Path.of(location.toURI()));
  }

  /** The packages that module-info exports: what is public there is promised to users. */
  private static final Set<String> EXPORTED = exportedPackages();

  private static Set<String> exportedPackages() {
    Matcher exports =
        Pattern.compile("(?m)^ *exports ([\\w.]+);")
            .matcher(read(SOURCES.resolve("module-info.java")));
    return exports.results().map(found -> found.group(1)).collect(Collectors.toSet());
  }

  private static Stream<Class<?>> publicTypes() {
    return core.stream()
        .filter(type -> EXPORTED.contains(type.getPackageName()))
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
  void theApiHoldsOnlyPublicTypes() {
    assertThat(core.stream().filter(type -> type.getPackageName().equals("io.holdfast")))
        .hasSizeGreaterThan(20)
        .allMatch(
            type ->
                type.getModifiers().contains(JavaModifier.PUBLIC)
                    || type.getEnclosingClass().isPresent()
                    || type.getSimpleName().equals("package-info"));
  }

  @Test
  void theRuntimeIsNotExported() {
    assertThat(EXPORTED)
        .contains("io.holdfast", "io.holdfast.spi", "io.holdfast.memory")
        .noneMatch(name -> name.startsWith(RUNTIME));
  }

  @Test
  void onlyTheApiAndTheRuntimeKnowTheRuntime() {
    for (JavaClass type : core) {
      String from = type.getPackageName();
      if (!from.equals("io.holdfast") && !from.startsWith(RUNTIME)) {
        requireNone(type, RUNTIME);
      }
    }
  }

  @Test
  void timeAndLanesKnowNothingOfWhatIsAboveThem() {
    for (JavaClass type : core) {
      if (type.getPackageName().equals("io.holdfast.runtime.time")) {
        above("acquire", "client", "hold", "lane", "primitive", "renew")
            .forEach(name -> requireNone(type, name));
      }
      if (type.getPackageName().equals("io.holdfast.runtime.lane")) {
        above("acquire", "client", "hold", "primitive", "renew")
            .forEach(name -> requireNone(type, name));
      }
    }
  }

  private static Stream<String> above(String... packages) {
    return Stream.of(packages).map(name -> RUNTIME + "." + name);
  }

  private static void requireNone(JavaClass type, String packages) {
    assertThat(type.getDirectDependenciesFromSelf())
        .noneMatch(dependency -> dependency.getTargetClass().getPackageName().startsWith(packages));
  }

  @Test
  void theRuntimeDoesNotKnowTheEngineInMemory() {
    for (JavaClass type : core) {
      String from = type.getPackageName();
      if (from.equals("io.holdfast") || from.startsWith(RUNTIME)) {
        requireNone(type, "io.holdfast.memory");
      }
    }
  }

  @Test
  void theCoreNeedsNothingButTheJdk() {
    core.stream()
        .map(JavaClass::getPackageName)
        .distinct()
        .forEach(from -> requireDependencies(from, "java.", "org.jspecify", "io.holdfast"));
  }
}
