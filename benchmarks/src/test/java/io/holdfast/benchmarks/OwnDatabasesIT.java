package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Colours;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Short runs on databases that they start for themselves. */
@Timeout(120)
class OwnDatabasesIT {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private String run(String line) throws Exception {
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    int code = new Bench(out, out, Colours.OFF).run(List.of(line.split(" ")));
    String text = bytes.toString(StandardCharsets.UTF_8);
    assertThat(code).as(text).isZero();
    return text;
  }

  @ParameterizedTest
  @CsvSource({"jdbc:postgresql:", "jdbc:mariadb:"})
  void holdfast_and_a_peer_share_a_server(String store) throws Exception {
    String text = run("--store " + store + " --peers raw-row --threads 1 --seconds 0.2 --rounds 1");
    assertThat(text)
        .containsPattern("holdfast " + store + " any: \\d connections")
        .contains("raw-row: 1 connection\n");
  }

  @Test
  void peers_alone_get_a_server_too() throws Exception {
    assertThat(run("--peers raw-advisory,raw-row --threads 2 --seconds 0.1 --rounds 1"))
        // Two callers that never ask at the same moment need but one.
        .containsPattern("raw-advisory: [12] connection")
        .containsPattern("raw-row: [12] connection");
  }

  @Test
  void processes_share_a_file_and_a_cold_one_opens_it() throws Exception {
    assertThat(run("sqlite --seconds 0.1 --rounds 1"))
        .contains("SQLite, own names", "SQLite, one name", "SQLite, from open");
  }
}
