package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.ExitCode;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** As a process, whose code a script sees. */
@Timeout(120)
@DisplayName("The demo that cannot go on")
class DemoEndsIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;

  private Process start(List<String> before, String store, String... options) throws IOException {
    List<String> line = new ArrayList<>(before);
    line.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx96m", "-cp"));
    line.addAll(List.of(System.getProperty("java.class.path"), Demo.class.getName()));
    line.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("told").toFile());
    builder.environment().put("HOLDFAST_STORE", store);
    return builder.start();
  }

  private String told() throws IOException {
    return Files.readString(folder.resolve("told"));
  }

  private static int awaitExit(Process demo) throws InterruptedException {
    assertThat(demo.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return demo.exitValue();
  }

  @Test
  @DisplayName("says why a store refuses it, and ends with the program's code for that")
  void refused() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      redis.call("CONFIG", "SET", "requirepass", "right");
      String wrong = redis.uri().replace("redis://", "redis://:wrong@");

      int code = awaitExit(start(List.of(), wrong, "--store", "-"));

      assertThat(code).as(told()).isEqualTo(ExitCode.REFUSED);
      assertThat(told()).contains("WRONGPASS").doesNotContain("does not reply", "failFast");
    }
  }

  @Test
  @DisplayName("says that a store does not reply, without words of the API")
  void down() throws Exception {
    assertThat(awaitExit(start(List.of(), "", "--store", "redis://127.0.0.1:1")))
        .as(told())
        .isEqualTo(ExitCode.STORE);
    assertThat(told()).startsWith("The demo was aborted: ").doesNotContain("failFast");
    assertThat(awaitExit(start(List.of(), "", "--fats"))).isEqualTo(ExitCode.USAGE);
  }

  @Test
  @DisplayName("ends with 130 after Ctrl-C, which its processes get as well, without an error")
  void interrupted() throws Exception {
    // In a process group of its own, as at a terminal. INT may be ignored where tests run.
    Process demo = start(List.of("setsid", "env", "--default-signal=INT"), "", "--processes");
    try {
      Await.until("a grant", LONG, () -> told().contains("gets the lock"));
      Process kill = new ProcessBuilder("kill", "-INT", "--", "-" + demo.pid()).start();
      assertThat(kill.waitFor()).isZero();

      assertThat(awaitExit(demo)).as(told()).isEqualTo(Demo.INTERRUPTED);
      assertThat(told()).startsWith("Holdfast: one lock").doesNotContain("aborted", "SLF4J");
    } finally {
      demo.destroyForcibly();
    }
  }
}
