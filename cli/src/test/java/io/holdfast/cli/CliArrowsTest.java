package io.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Dependencies of the program point one way:")
class CliArrowsTest {

  private static final String ROOT = "io.holdfast.cli";

  private static JavaClasses all;

  @BeforeAll
  static void load() {
    all =
        new ClassFileImporter()
            .withImportOption(at -> !at.contains("test-classes"))
            .importPackages(ROOT);
  }

  private static final String[] ALLOWED = {
    "java..",
    "org.jspecify..",
    "picocli..",
    "io.holdfast",
    "io.holdfast.spi",
    "io.holdfast.ids",
    ROOT + ".."
  };

  private static String[] allowedAnd(String... more) {
    return Stream.concat(Stream.of(ALLOWED), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  @DisplayName("it needs the API, the SPI, ids and its parser, and finds engines by their address")
  void outwards() {
    classes()
        .that()
        .resideInAPackage(ROOT + "..")
        .and()
        .resideOutsideOfPackage(ROOT + ".look.doctor")
        .and()
        .doNotHaveSimpleName("BenchCommand")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(ALLOWED)
        .check(all);
  }

  @Test
  @DisplayName("but the doctor knows what is in addresses, and speaks to servers itself")
  void doctor() {
    classes()
        .that()
        .resideInAPackage(ROOT + ".look.doctor")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            allowedAnd(
                "javax.net.ssl",
                "io.holdfast.redis",
                "io.holdfast.jdbc",
                "io.holdfast.zookeeper",
                "io.holdfast.etcd",
                "redis.clients.jedis.."))
        .check(all);
  }

  @Test
  @DisplayName("and the bench has the benchmarks")
  void bench() {
    classes()
        .that()
        .haveSimpleName("BenchCommand")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowedAnd("io.holdfast.benchmarks"))
        .check(all);
  }

  @Test
  @DisplayName("commands use the root; of the root, only the program itself knows commands")
  void inwards() {
    noClasses()
        .that()
        .resideInAPackage(ROOT)
        .and()
        .doNotHaveSimpleName("Main")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".*")
        .check(all);
  }
}
