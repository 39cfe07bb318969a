package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar has every engine with all that its client looks up at run time. */
@Timeout(120)
@DisplayName("From the one jar:")
@EnabledIfSystemProperty(
    named = "holdfast.jar",
    matches = ".+",
    disabledReason = "comes after the jar has been made")
class SchemesJarIT {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("a command runs under a lock of every engine")
  void engines(Engine engine) {
    try (Engine.Store store = engine.start(folder)) {
      Cli run = Cli.Setup.in(folder).at(store.uri()).run("run", "a", "--", "true");
      assertThat(run.awaitExit()).as(run.err()).isZero();
      assertThat(run.err()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
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
        "etcds://127.0.0.1:1"
      })
  @DisplayName("every scheme is known: where nobody answers, that is what is said, and where")
  void schemes(String uri) {
    Cli run = Cli.Setup.in(folder).run("run", "a", "--store", uri, "-w", "2s", "--", "true");
    assertThat(run.awaitExit()).as(run.err()).isEqualTo(ExitCode.STORE);
    assertThat(run.err()).contains("127.0.0.1:1").doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "memory:shared", "jdbc:h2:mem:app;DB_CLOSE_DELAY=-1"})
  @DisplayName("stores within one process work too, for what that is worth")
  void within(String uri) {
    Cli run = Cli.Setup.in(folder).run("run", "a", "--store", uri, "--", "true");
    assertThat(run.awaitExit()).as(run.err()).isZero();
  }
}
