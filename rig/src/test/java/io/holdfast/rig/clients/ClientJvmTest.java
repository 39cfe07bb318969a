package io.holdfast.rig.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.history.Event;
import io.holdfast.rig.history.History;
import io.holdfast.rig.process.ProcState;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClientJvmTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  @TempDir Path folder;
  private LeakCheck before;

  @BeforeEach
  void takeStock() {
    before = LeakCheck.baseline(Inventory.threads());
  }

  @AfterEach
  void no_thread_is_left() {
    before.awaitReturn(BOUND).requireClean(1);
  }

  @Test
  void kill_9_in_the_middle_loses_nothing_that_was_written() throws IOException {
    Path file = folder.resolve("history");
    long start = System.nanoTime();
    long killed;
    try (ClientJvm scribe =
        ClientJvm.start("scribe", HistoryWritingProgram.class, file.toString(), "scribe")) {
      Await.until("some history", BOUND, () -> Files.size(file) > 100_000);
      killed = scribe.kill9();
      assertThat(scribe.isRunning()).isFalse();
    }
    History history = History.read(file);
    assertThat(history.events()).hasSizeGreaterThan(1_000);
    assertThat(history.events().stream().mapToLong(Event::token))
        .containsExactlyElementsOf(LongStream.range(0, history.events().size()).boxed().toList());
    // One clock for all processes of the machine.
    assertThat(history.events()).allMatch(event -> event.nanos() > start);
    assertThat(history.end()).isLessThan(killed + Duration.ofSeconds(5).toNanos());

    Files.writeString(file, "12345\tscri", StandardOpenOption.APPEND);
    assertThat(History.read(file)).isEqualTo(history);
  }

  @Test
  void a_paused_client_does_nothing_until_it_goes_on() {
    Path file = folder.resolve("history");
    long paused;
    long resumed;
    try (ClientJvm scribe =
        ClientJvm.start("scribe", HistoryWritingProgram.class, file.toString(), "scribe")) {
      Await.until("some history", BOUND, () -> Files.size(file) > 10_000);
      scribe.pause();
      paused = System.nanoTime();
      long size = file.toFile().length();
      Await.until("a while", BOUND, () -> System.nanoTime() - paused > 100_000_000);
      assertThat(file).hasSize(size);
      resumed = System.nanoTime();
      scribe.resume();
      Await.until("more history", BOUND, () -> Files.size(file) > size + 10_000);
      scribe.pause();
      scribe.kill9();
    }
    assertThat(History.read(file).events())
        .anyMatch(event -> event.nanos() < paused)
        .noneMatch(event -> event.nanos() > paused && event.nanos() < resumed)
        .anyMatch(event -> event.nanos() > resumed);
  }

  @Test
  void hears_speaks_and_ends_with_its_code() {
    JvmSpec spec =
        JvmSpec.of("listener", ListeningProgram.class)
            .withHeapMegabytes(64)
            .withJvmOptions("-Dsome=thing")
            .withEnvironment(Map.of("SOME", "thing"));
    try (ClientJvm listener = ClientJvm.start(spec)) {
      assertThat(listener.awaitLine("listen", BOUND)).isEqualTo("listening");
      assertThatThrownBy(() -> listener.awaitExit(Duration.ofMillis(20)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("listener (process " + listener.pid() + ") did not end")
          .hasMessageContaining("listening");
      listener.say("7");
      assertThat(listener.awaitExit(BOUND)).isEqualTo(7);
      assertThat(listener.lines()).containsExactly("listening");
      assertThatThrownBy(() -> listener.awaitLine("never", BOUND))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("no line with \"never\" before its end");
    }
  }

  @Test
  void grandchildren_die_with_a_killed_parent() {
    try (ClientJvm parent = ClientJvm.start("parent", ChildStartingProgram.class)) {
      ProcessHandle grandchild = grandchild(parent);
      // Not by kill9(), which would take the whole family: as the kernel's out-of-memory killer.
      assertThat(ProcessHandle.of(parent.pid()).orElseThrow().destroyForcibly()).isTrue();
      Await.until("the end of the grandchild", BOUND, () -> ProcState.isGone(grandchild));
    }
  }

  @Test
  void grandchildren_and_their_folders_go_when_the_parent_ends_without_closing() {
    try (ClientJvm parent = ClientJvm.start("parent", ChildStartingProgram.class)) {
      ProcessHandle grandchild = grandchild(parent);
      Path folders = Path.of(parent.awaitLine("folder", BOUND).substring(7));
      assertThat(childFolders(folders)).hasSize(1);
      parent.say("0");
      assertThat(parent.awaitExit(BOUND)).isZero();
      assertThat(ProcState.isGone(grandchild)).isTrue();
      assertThat(childFolders(folders)).isEmpty();
    }
  }

  @Test
  void a_heap_that_is_too_small_is_refused() {
    JvmSpec spec = JvmSpec.of("small", ListeningProgram.class);
    assertThatThrownBy(() -> spec.withHeapMegabytes(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be >= 16: heapMegabytes=1");
  }

  private static ProcessHandle grandchild(ClientJvm parent) {
    long pid = Long.parseLong(parent.awaitLine("child", BOUND).substring(6));
    return ProcessHandle.of(pid).orElseThrow();
  }

  private static List<Path> childFolders(Path folder) {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().contains("child")).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
