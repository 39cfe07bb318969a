package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.clients.JvmSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TortureIT {
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir Path folder;

  @Test
  @DisplayName("a short run on Redis finds nothing, and has made faults")
  void clean() throws Exception {
    JsonObject report = torture(0, "--seed=1");
    assertThat(report.get("verdict").getAsString()).isEqualTo("passed");
    assertThat(report.get("grants").getAsInt()).isPositive();
    assertThat(report.getAsJsonObject("faults").keySet()).hasSizeGreaterThan(2);
  }

  @Test
  @DisplayName("every planted bug is found")
  void planted() throws Exception {
    JsonObject report = torture(1, "--seed=2", "--planted=deadline,tokens,guard,leftover");
    assertThat(report.get("overlaps").getAsInt()).as("overlaps").isPositive();
    assertThat(report.get("wrongTokens").getAsInt()).as("wrong tokens").isPositive();
    assertThat(report.get("staleWritesAccepted").getAsInt()).as("stale writes").isPositive();
    assertThat(report.get("leftovers").getAsInt()).as("leftovers").isPositive();
  }

  @Test
  @DisplayName("locks that are taken away, and a call that never returns, are found")
  void plantedAlone() throws Exception {
    // Without a holder that believes too long, which causes overlaps as well.
    JsonObject report = torture(1, "--seed=3", "--minutes=0.1", "--planted=owner,wait");
    assertThat(report.get("overlaps").getAsInt()).as("overlaps").isPositive();
    assertThat(report.get("unreturnedWaits").getAsInt()).as("calls").isPositive();
    assertThat(report.get("findings").toString()).contains("calls that never returned");
    assertThat(report.get("wrongTokens").getAsInt()).as("wrong tokens").isZero();
    assertThat(report.get("staleWritesAccepted").getAsInt()).as("stale writes").isZero();
  }

  /** As a program of its own, because it asks for namespaces and ends the process. */
  private JsonObject torture(int code, String... more) throws Exception {
    Path json = folder.resolve("report.json");
    List<String> words = new ArrayList<>(List.of("--store=redis", "--minutes=0.2", "--lease=2"));
    words.add("--workers=3");
    words.add("--json=" + json);
    words.addAll(List.of(more));
    try (ClientJvm program =
        ClientJvm.start(
            JvmSpec.of("torture", Torture.class, words.toArray(String[]::new))
                .withHeapMegabytes(256))) {
      int ended = program.awaitExit(BOUND);
      String printed = program.lines().stream().collect(Collectors.joining("\n"));
      System.out.println(printed);
      assertThat(ended).as(printed).isEqualTo(code);
    }
    return JsonParser.parseString(Files.readString(json)).getAsJsonObject();
  }
}
