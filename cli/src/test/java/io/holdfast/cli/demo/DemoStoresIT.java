package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.ExitCode;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ZooKeeperServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The demo on real stores")
@Timeout(180)
class DemoStoresIT {

  private static final DemoStyle PLAIN = new DemoStyle(/* live= */ false, /* unicode= */ true);

  private static String told(DemoOptions wish) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8);
    int code = Demo.run(new DemoScreen(out, PLAIN.live()), PLAIN, wish);
    String text = bytes.toString(StandardCharsets.UTF_8);
    if (code == ExitCode.STORE) {
      throw new IllegalStateException(text); // no wrong result, but none
    }
    assertThat(code).as(text).isZero();
    return text;
  }

  @Test
  @DisplayName("is the same story")
  void store() {
    try (RedisServer redis = RedisServer.start()) {
      String text = told(DemoOptions.plain().quick().withStore(redis.uri()));

      assertThat(text)
          .startsWith("Holdfast: one lock, four machines, " + redis.uri() + ".")
          .contains("ada is refused by the guard", "All as it must be");
    }
  }

  @Test
  @DisplayName("kills a process with -9 and stops another, which share a file")
  void processes() {
    String text = told(DemoOptions.plain().withProcesses());

    assertThat(text)
        .contains(
            "four processes, jdbc:sqlite:",
            "ada is killed with -9 while it has the lock",
            "s after the kill",
            "cat wakes up and is notified of its loss",
            "cat is refused by the guard",
            "left behind in the store",
            "All as it must be");
  }

  @Test
  @DisplayName("uses processes where locks live with sessions")
  void sessions() {
    try (ZooKeeperServer zooKeeper = ZooKeeperServer.start()) {
      // Its ticks are short here, and so is the longest session.
      String uri = zooKeeper.uri() + "?holdfast.lease=2s";

      assertThat(told(DemoOptions.plain().withStore(uri)))
          .contains("four processes, " + zooKeeper.uri(), "All as it must be");
    }
  }
}
