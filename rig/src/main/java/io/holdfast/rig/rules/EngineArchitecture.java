package io.holdfast.rig.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The dependencies and public types of an engine's module, for architecture tests. All methods
 * return a list of violations, empty when there are none.
 */
public final class EngineArchitecture {

  private final String ours;
  private final JavaClasses classes;

  private EngineArchitecture(String ours, JavaClasses classes) {
    this.ours = ours;
    this.classes = classes;
  }

  /** The module of that class, which is in the module's root package. */
  public static EngineArchitecture of(Class<?> engine) {
    try {
      Path location = Path.of(engine.getProtectionDomain().getCodeSource().getLocation().toURI());
      return new EngineArchitecture(
          engine.getPackageName(),
          new ClassFileImporter()
              .withImportOption(at -> !at.contains("test-classes"))
              .importPath(location));
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no folder of classes: " + engine, e);
    }
  }

  /** All that those of our types depend on. */
  public Stream<Dependency> dependencies(Predicate<JavaClass> from) {
    return classes.stream()
        .filter(type -> type.getPackageName().startsWith(ours))
        .filter(from)
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream());
  }

  /** The types of ours that a package depends on, except those whose names match. */
  public List<String> arrowsOut(String part, String mayMatch) {
    return descriptions(
        dependencies(type -> isOf(type, part))
            .filter(dependency -> target(dependency).startsWith(ours + "."))
            .filter(dependency -> !target(dependency).substring(ours.length()).matches(mayMatch)));
  }

  /** What our types depend on of Holdfast that is neither SPI nor ours; guards of fences may. */
  public List<String> knowsMoreThanTheSpi() {
    return descriptions(
        dependencies(type -> !top(type).getSimpleName().endsWith("FenceGuard"))
            .filter(dependency -> target(dependency).startsWith("io.holdfast."))
            .filter(dependency -> !target(dependency).startsWith("io.holdfast.spi."))
            .filter(dependency -> !target(dependency).startsWith(ours + ".")));
  }

  /** Public types, those within public types too. */
  public List<Class<?>> publicTypes() {
    return classes.stream()
        .filter(type -> type.getPackageName().startsWith(ours))
        .filter(type -> !type.isAnonymousClass() && !type.getSimpleName().equals("package-info"))
        .filter(type -> type.getSource().isPresent())
        .<Class<?>>map(JavaClass::reflect)
        .filter(EngineArchitecture::isVisible)
        .toList();
  }

  /** Public types that a program could extend. */
  public List<String> open() {
    return publicTypes().stream()
        .filter(type -> !Modifier.isFinal(type.getModifiers()))
        .filter(type -> !type.isInterface() && !type.isEnum() && !type.isSealed())
        .map(Class::getName)
        .toList();
  }

  /** Whether a type is in that sub-package, such as {@code ".wire"}. */
  public boolean isOf(JavaClass type, String part) {
    return type.getPackageName().equals(ours + part);
  }

  /** The name of what is depended on; of an array, that of its elements. */
  public static String target(Dependency dependency) {
    return dependency.getTargetClass().getBaseComponentType().getName();
  }

  /** The outermost type around it. */
  public static JavaClass top(JavaClass type) {
    return type.getEnclosingClass().map(EngineArchitecture::top).orElse(type);
  }

  /** Dependencies in words. */
  public static List<String> descriptions(Stream<Dependency> dependencies) {
    return dependencies.map(Dependency::getDescription).toList();
  }

  private static boolean isVisible(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getEnclosingClass() == null || isVisible(type.getEnclosingClass()));
  }
}
