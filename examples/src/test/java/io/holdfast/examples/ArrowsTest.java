package io.holdfast.examples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.holdfast.FenceGuard;
import io.holdfast.Hold;
import io.holdfast.StaleTokenException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Dependencies point one way:")
class ArrowsTest {

  private static final String API = "io.holdfast";
  private static final String RUNTIME = "io.holdfast.runtime..";
  private static final String SPI = "io.holdfast.spi";
  private static final String SUPPORT = "io.holdfast.spi.support";
  private static final String MEMORY = "io.holdfast.memory";
  private static final String IDS = "io.holdfast.ids..";
  private static final String KIT = "io.holdfast.tck..";
  private static final String[] TEST_LIBRARIES = {
    "org.junit.jupiter..", "org.junit.platform..", "org.assertj..", "org.opentest4j.."
  };

  private static JavaClasses all;

  @BeforeAll
  static void load() {
    all = new ClassFileImporter().importPackages(API);
  }

  private static DescribedPredicate<JavaClass> in(String... packages) {
    return JavaClass.Predicates.resideInAnyPackage(packages);
  }

  /** What everything of ours may use: the JDK, and annotations that are gone at run time. */
  private static DescribedPredicate<JavaClass> theJdkOr(DescribedPredicate<JavaClass> others) {
    return in("java..", "org.jspecify..").or(others);
  }

  @Test
  @DisplayName("the SPI needs nothing of ours")
  void spi() {
    classes()
        .that(in(SPI))
        .should()
        .onlyDependOnClassesThat(theJdkOr(in(SPI)))
        .because("engines are built against it alone")
        .check(all);
  }

  @Test
  @DisplayName("the engine in memory needs the SPI alone, and its guard what guards are about")
  void memory() {
    classes()
        .that(in(MEMORY))
        .should()
        .onlyDependOnClassesThat(
            theJdkOr(in(SPI, SUPPORT, MEMORY))
                .or(
                    JavaClass.Predicates.belongToAnyOf(
                        FenceGuard.class, Hold.class, StaleTokenException.class)))
        .check(all);
    noClasses()
        .that(in(MEMORY))
        .and()
        .haveSimpleNameNotContaining("FenceGuard")
        .should()
        .dependOnClassesThat(in(API))
        .check(all);
  }

  @Test
  @DisplayName("the API and its runtime need the SPI, no engine, and nothing but the JDK besides")
  void api() {
    classes()
        .that(in(API, RUNTIME))
        .should()
        .onlyDependOnClassesThat(theJdkOr(in(API, RUNTIME, SPI, SUPPORT)))
        .because("engines are found by their address")
        .check(all);
  }

  @Test
  @DisplayName("ids need the API and the SPI, and no engine")
  void ids() {
    classes()
        .that(in(IDS))
        .should()
        .onlyDependOnClassesThat(theJdkOr(in(API, SPI, SUPPORT, IDS)).or(in("javax.sql..")))
        .check(all);
  }

  @Test
  @DisplayName("the kit needs the core and the libraries of tests")
  void kit() {
    classes()
        .that(in(KIT))
        .should()
        .onlyDependOnClassesThat(
            theJdkOr(in(API, SPI, SUPPORT, MEMORY, KIT)).or(in(TEST_LIBRARIES)))
        .check(all);
  }
}
