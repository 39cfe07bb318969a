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
  private static final String SERVER = ROOT + ".commands.ServerCommand";

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
        .resideOutsideOfPackage(ROOT + ".commands.doctor")
        .and()
        .resideOutsideOfPackages(ROOT + ".bench", ROOT + ".demo")
        .and()
        .doNotHaveFullyQualifiedName(SERVER)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(ALLOWED)
        .check(all);
  }

  @Test
  @DisplayName("one command starts a lock service, and it alone knows the server")
  void server() {
    classes()
        .that()
        .haveFullyQualifiedName(SERVER)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowedAnd("io.holdfast.server", "io.holdfast.server.settings"))
        .check(all);
  }

  @Test
  @DisplayName("but the doctor knows what is in addresses, and speaks to servers itself")
  void doctor() {
    classes()
        .that()
        .resideInAPackage(ROOT + ".commands.doctor")
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
  @DisplayName("and the demo has a store in memory")
  void demo() {
    classes()
        .that()
        .resideInAPackage(ROOT + ".demo")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowedAnd("io.holdfast.memory"))
        .check(all);
  }

  @Test
  @DisplayName("and the bench counts connections at servers and writes reports")
  void bench() {
    classes()
        .that()
        .resideInAPackage(ROOT + ".bench")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            allowedAnd(
                "com.sun.management",
                "com.google.gson..",
                "org.HdrHistogram..",
                "redis.clients.jedis.."))
        .check(all);
  }

  @Test
  @DisplayName("commands use the root and the store; only the program itself knows commands")
  void inwards() {
    noClasses()
        .that()
        .resideInAPackage(ROOT)
        .and()
        .doNotHaveSimpleName("Main")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT + ".commands..", ROOT + ".bench", ROOT + ".demo")
        .check(all);
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + ".store", ROOT + ".bench", ROOT + ".demo")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".commands..")
        .check(all);
  }
}
