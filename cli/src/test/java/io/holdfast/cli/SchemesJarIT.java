package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar has every engine with all that its client looks up at run time. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("From the one jar:")
@EnabledIfSystemProperty(
    named = "holdfast.jar",
    matches = ".+",
    disabledReason = "comes after the jar has been made")
class SchemesJarIT {

  private static final String NETTY_PARTS = "META-INF/maven/io.netty/[^/]+/pom.properties";

  private static final List<String> SCHEMES =
      List.of(
          "redis://127.0.0.1:1",
          "rediss://127.0.0.1:1",
          "redis-sentinel://127.0.0.1:1/main",
          "redis-cluster://127.0.0.1:1",
          "redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3",
          "jdbc:postgresql://127.0.0.1:1/app",
          "jdbc:mariadb://127.0.0.1:1/app",
          "jdbc:h2:tcp://127.0.0.1:1/app",
          "zookeeper://127.0.0.1:1",
          "etcd://127.0.0.1:1",
          "etcds://127.0.0.1:1");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("a command runs under a lock of every engine")
  void engines(EngineWithServer engine) {
    try (EngineWithServer.Store store = engine.start(folder)) {
      // Servers of a majority that have just started give no locks for a lease.
      String lease = engine == EngineWithServer.REDLOCK ? "6s" : "30s";
      CliProcess run =
          CliProcess.Setup.in(folder)
              .at(store.uri())
              .run("run", "a", "--lease", lease, "--", "true");
      assertThat(run.awaitExit()).as(run.err()).isZero();
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  @DisplayName("every scheme is known: an unreachable store is reported with its address")
  void schemes() {
    CliProcess.Setup setup = CliProcess.Setup.in(folder);
    // Together, because each of them waits for what does not come.
    List<CliProcess> all =
        SCHEMES.stream()
            .map(uri -> setup.start("run", "a", "--store", uri, "-w", "2s", "--", "true"))
            .toList();
    for (int i = 0; i < all.size(); i++) {
      CliProcess run = all.get(i);
      assertThat(run.awaitExit()).as(SCHEMES.get(i) + run.err()).isEqualTo(ExitCode.STORE);
      assertThat(run.err()).contains("127.0.0.1:1").doesNotContain("\tat ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "memory:shared", "jdbc:h2:mem:app;DB_CLOSE_DELAY=-1"})
  @DisplayName("stores within one process are known, and keep no other process out")
  void within(String uri) {
    CliProcess looked = CliProcess.Setup.in(folder).run("guarantees", "--store", uri);
    assertThat(looked.awaitExit()).as(looked.err()).isZero();
    assertThat(looked.out()).contains("no   ACROSS_PROCESSES");
  }

  @Test
  @DisplayName("all of Netty is of one version")
  void netty() throws Exception {
    Set<String> versions = new TreeSet<>();
    try (JarFile jar = new JarFile(System.getProperty("holdfast.jar"))) {
      List<JarEntry> parts =
          jar.stream().filter(entry -> entry.getName().matches(NETTY_PARTS)).toList();
      for (JarEntry part : parts) {
        Properties properties = new Properties();
        properties.load(jar.getInputStream(part));
        versions.add(properties.getProperty("version"));
      }
      Figure.print("%d parts of Netty %s in the jar", parts.size(), versions);
    }
    assertThat(versions).hasSize(1);
  }
}
