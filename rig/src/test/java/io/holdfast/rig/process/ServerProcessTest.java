package io.holdfast.rig.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.time.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With shell scripts in the place of servers; {@code RedisServerIT} has a real one. */
@Timeout(30)
class ServerProcessTest {
  private static final Duration BOUND = Duration.ofSeconds(5);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final List<Path> folders = new ArrayList<>();
  private LeakCheck before;

  @BeforeEach
  void takeStock() {
    before = LeakCheck.baseline(Inventory.threads());
  }

  @AfterEach
  void nothing_is_left() {
    assertThat(folders).noneMatch(Files::exists);
    before.awaitReturn(BOUND).requireClean(1);
  }

  @Test
  void a_server_that_ends_at_once_is_quoted() {
    assertThatThrownBy(() -> ServerProcess.start(script("echo no disk left; exit 3", false)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended with 3")
        .hasMessageContaining("no disk left");
  }

  @Test
  void a_server_that_is_never_ready_is_quoted_and_killed() {
    ServerSpec spec =
        script("echo still loading; exec sleep 60", false).withBounds(SHORT, Duration.ofSeconds(5));
    assertThatThrownBy(() -> ServerProcess.start(spec))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not ready within 200 ms")
        .hasMessageContaining("still loading");
  }

  @Test
  void a_missing_program_is_named_with_its_package() {
    Program missing = Program.of("no-such-server", "no-such-package");
    ServerSpec spec =
        ServerSpec.of("missing", place -> List.of(missing.find().toString()), (place, pid) -> true);
    assertThatThrownBy(() -> ServerProcess.start(spec))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("apt-get install no-such-package");
  }

  @Test
  void a_preparation_that_fails_is_quoted() {
    ServerSpec spec =
        script("exec sleep 60", true)
            .withPreparation(
                place -> place.run(BOUND, List.of("sh", "-c", "echo bad locale; exit 1")));
    assertThatThrownBy(() -> ServerProcess.start(spec))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("exit code 1")
        .hasMessageContaining("bad locale");
  }

  @Test
  void the_preparation_runs_once_the_command_at_every_start() {
    ServerSpec spec =
        script("echo started; exec sleep 60", true)
            .withPreparation(place -> Files.writeString(place.folder().resolve("data"), "kept"));
    try (ServerProcess server = ServerProcess.start(spec)) {
      long first = server.pid();
      // It counts as ready before it has said anything.
      Await.until("one start", BOUND, () -> server.output().lines().count() == 1);
      server.restart();
      assertThat(server.pid()).isNotEqualTo(first);
      assertThat(server.folder().resolve("data")).hasContent("kept");
      Await.until("two starts", BOUND, () -> server.output().lines().count() == 2);
    }
  }

  @Test
  void ports_for_other_purposes_stay_the_same() {
    try (ServerProcess server = ServerProcess.start(script("exec sleep 60", true))) {
      int peer = server.place().port("peer");
      assertThat(peer).isNotEqualTo(server.port()).isEqualTo(server.place().port("peer"));
    }
  }

  @Test
  void a_server_that_does_not_listen_to_reason_is_killed_with_its_children() {
    ServerSpec spec =
        script("trap '' TERM; sleep 61 & sleep 62 & echo up; wait; sleep 63", true)
            .withBounds(BOUND, SHORT);
    List<ProcessHandle> family;
    try (ServerProcess server = ServerProcess.start(spec)) {
      family = familyOf(server, 2);
    }
    assertThat(family).hasSize(2).allMatch(ProcState::isGone);
  }

  @Test
  void kill_and_pause_reach_the_children() {
    try (ServerProcess server = ServerProcess.start(script("sleep 61 & sleep 62 & wait", true))) {
      List<ProcessHandle> family = familyOf(server, 2);
      server.pause();
      assertThat(family).allMatch(ProcState::isStopped);
      server.resume();
      Await.until(
          "the children to go on", BOUND, () -> family.stream().noneMatch(ProcState::isStopped));
      server.kill9();
      assertThat(server.isRunning()).isFalse();
      assertThat(family).allMatch(ProcState::isGone);
    }
  }

  @Test
  void a_closed_server_cannot_be_started_again() {
    ServerProcess server = ServerProcess.start(script("exec sleep 60", true));
    server.close();
    server.close();
    assertThat(server.isRunning()).isFalse();
    assertThatThrownBy(server::restart)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  private ServerSpec script(String script, boolean ready) {
    return ServerSpec.of(
        "script",
        place -> {
          folders.add(place.folder());
          return List.of("sh", "-c", script);
        },
        (place, pid) -> ready);
  }

  private static List<ProcessHandle> familyOf(ServerProcess server, int size) {
    ProcessHandle root = ProcessHandle.of(server.pid()).orElseThrow();
    Await.until("the children", BOUND, () -> root.descendants().count() == size);
    return root.descendants().toList();
  }
}
