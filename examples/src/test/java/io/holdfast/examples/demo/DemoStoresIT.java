package io.holdfast.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.RedisServer;
import io.holdfast.rig.ZooKeeperServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The demo on real stores")
@Timeout(180)
class DemoStoresIT {

  private static final Look PLAIN = new Look(/* live= */ false, /* unicode= */ true);

  private static String told(Wish wish) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8);
    int code = Demo.run(new Screen(out, PLAIN.live()), PLAIN, wish);
    String text = bytes.toString(StandardCharsets.UTF_8);
    if (code == Demo.BROKEN_OFF) {
      throw new IllegalStateException(text); // no wrong answer, but none
    }
    assertThat(code).as(text).isZero();
    return text;
  }

  @Test
  @DisplayName("is the same story")
  void store() {
    try (RedisServer redis = RedisServer.start()) {
      String text = told(Wish.plain().quick().withStore(redis.uri()));

      assertThat(text)
          .startsWith("Holdfast: one lock, four machines, " + redis.uri() + ".")
          .contains("ada is refused by the guard", "All as it must be");
    }
  }

  @Test
  @DisplayName("kills a process with -9 and stops another, which share a file")
  void processes() {
    String text = told(Wish.plain().withProcesses());

    assertThat(text)
        .contains(
            "four processes, jdbc:sqlite:",
            "ada is killed with -9 while it has the lock",
            "s after the kill",
            "cat wakes up and is told of its loss",
            "cat is refused by the guard",
            "left behind in the store",
            "All as it must be");
  }

  @Test
  @DisplayName("takes processes by itself where locks live with sessions")
  void sessions() {
    try (ZooKeeperServer zooKeeper = ZooKeeperServer.start()) {
      // Its ticks are short here, and so is the longest session.
      String uri = zooKeeper.uri() + "?holdfast.lease=2s";

      assertThat(told(Wish.plain().withStore(uri)))
          .contains("four processes, " + zooKeeper.uri(), "All as it must be");
    }
  }
}
