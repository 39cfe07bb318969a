package io.holdfast.rig.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  @TempDir Path folder;

  @Test
  void reads_back_what_was_written() {
    Path file = folder.resolve("a");
    Event event = event(5, "process\t1", "na\\me\r\n\t\\t", 7);
    try (HistoryWriter writer = HistoryWriter.create(file, "process\t1")) {
      writer.write(event);
    }
    assertThat(History.read(file).events()).containsExactly(event);
  }

  @Test
  void merges_files_by_time() {
    Path a = folder.resolve("a");
    Path b = folder.resolve("b");
    try (HistoryWriter one = HistoryWriter.create(a, "a");
        HistoryWriter other = HistoryWriter.create(b, "b")) {
      one.write(event(1, "a", "L", 1));
      one.write(event(4, "a", "L", 4));
      other.write(event(2, "b", "L", 2));
      other.write(event(3, "b", "L", 3));
    }
    assertThat(History.read(a, b).events())
        .extracting(Event::token)
        .containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void leaves_out_a_torn_last_line() throws IOException {
    Path file = folder.resolve("a");
    String whole = event(1, "a", "L", 1).toLine() + "\n";
    String torn = event(2, "a", "L", 2).toLine();
    for (int cut = 0; cut <= torn.length(); cut++) {
      Files.writeString(file, whole + torn.substring(0, cut));
      assertThat(History.read(file).events()).extracting(Event::token).containsExactly(1L);
    }
  }

  @Test
  void refuses_damage_anywhere_else() throws IOException {
    Path file = folder.resolve("a");
    Files.writeString(file, "12\ta\tL\n" + event(1, "a", "L", 1).toLine() + "\n");
    assertThatThrownBy(() -> History.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line 1 is damaged");
  }

  @Test
  void a_trace_tells_the_story_of_a_claim() {
    Path file = folder.resolve("a");
    try (HistoryWriter writer = HistoryWriter.create(file, "a")) {
      Trace trace = writer.trace("L", "h", 3);
      trace.enqueuing();
      trace.enqueued();
      trace.acquiring();
      trace.acquired(7, 1_000);
      trace.held(System.nanoTime(), 2_000);
      trace.writing(7);
      trace.written(7);
      trace.releasing();
      trace.released();
      writer.killed("b", System.nanoTime());
    }
    History history = History.read(file);
    assertThat(history.events())
        .extracting(event -> event.op() + " " + event.phase())
        .containsExactly(
            "ENQUEUE INVOKE",
            "ENQUEUE OK",
            "ACQUIRE INVOKE",
            "ACQUIRE OK",
            "HELD OK",
            "WRITE INVOKE",
            "WRITE OK",
            "RELEASE INVOKE",
            "RELEASE OK",
            "KILLED INFO");
    assertThat(history.events().get(3))
        .isEqualTo(
            new Event(
                history.events().get(3).nanos(), "a", "L", "h", 3, Op.ACQUIRE, Phase.OK, 7, 1_000));
    assertThat(history.events().get(9).process()).isEqualTo("b");
  }

  @Test
  void an_interrupted_thread_can_still_write() {
    Path file = folder.resolve("a");
    try (HistoryWriter writer = HistoryWriter.create(file, "a")) {
      Thread.currentThread().interrupt();
      writer.trace("L", "1").acquiring();
      assertThat(Thread.interrupted()).isTrue();
      writer.trace("L", "1").notAcquired();
    }
    assertThat(History.read(file).events()).hasSize(2);
  }

  @Test
  void a_file_belongs_to_one_process() throws IOException {
    Path file = folder.resolve("a");
    Files.writeString(file, "", StandardOpenOption.CREATE_NEW);
    assertThatThrownBy(() -> HistoryWriter.create(file, "a"))
        .isInstanceOf(UncheckedIOException.class);
  }

  private static Event event(long nanos, String process, String lock, long token) {
    return new Event(nanos, process, lock, "h", 1, Op.ACQUIRE, Phase.OK, token, nanos + 10);
  }
}
