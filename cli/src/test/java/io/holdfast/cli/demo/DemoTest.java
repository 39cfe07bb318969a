package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.EngineException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The demo, not on a terminal,")
@Timeout(60)
class DemoTest {

  private static final DemoStyle PLAIN = new DemoStyle(/* live= */ false, /* unicode= */ true);

  private static final ByteArrayOutputStream BYTES = new ByteArrayOutputStream();
  private static int exitCode;
  private static List<String> lines;

  @BeforeAll
  static void run() {
    exitCode =
        Demo.run(new DemoScreen(output(BYTES), PLAIN.live()), PLAIN, DemoOptions.plain().quick());
    lines = BYTES.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static PrintStream output(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("ends with 0, and with what it counted")
  void facts() {
    assertThat(lines)
        .containsSubsequence(
            "What came of it",
            "  ✓ grants                           11   by one store to four clients",
            "  ✓ of them hand-overs                1   thread to thread",
            "  ✓ tokens strictly rising          yes",
            "  ✓ overlaps of beliefs               0   nobody met a rival",
            "  ✓ left behind in the store          0   by holders and by who gave up",
            "  ✓ losses reported              1 of 1   to the machine that stopped",
            "  ✓ stale writes refused         1 of 1   by the guard",
            "  ✓ coins in the jar           10 of 10   that were paid in");
    // How many coins a stale write eats depends on how many others have paid by then.
    assertThat(lines)
        .anyMatch(
            line -> line.matches("  ! in one without a guard +\\d of 10   stale writes ate \\d"));
    assertThat(exitCode).isZero();
  }

  @Test
  @DisplayName("shows what happens to the stopped machine, in order")
  void story() {
    assertThat(lines.stream().map(line -> line.substring(Math.min(32, line.length()))))
        .containsSubsequence(
            "ada stops dead, as in a long GC; nobody renews",
            "ada cannot believe any more: isHeld() is false",
            "ada wakes up: isHeld() is false; it pays anyway",
            "ada wants the lock",
            "ada has paid and releases it")
        .contains("ada is notified of its loss: EXPIRED", "ada releases it: LOST")
        .contains("cat gives up: dan has it", "cat leaves nothing in line: 1 in, 0 waiting")
        .contains("dan is renewed, good for 1.8 s again");
  }

  @Test
  @DisplayName("shows tokens that rise from grant to grant")
  void tokens() {
    List<Long> shown =
        Pattern.compile("the lock, token …(\\d+)")
            .matcher(String.join("\n", lines))
            .results()
            .map((MatchResult found) -> Long.valueOf(found.group(1)))
            .toList();

    assertThat(shown).hasSize(11).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("fits into 80 columns and has no escape sequences")
  void plain() {
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(lines).noneMatch(line -> line.contains("\u001b"));
  }

  @Test
  @DisplayName("fails if nothing happened: the table is computed")
  void nothingHappened() throws EngineException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DemoScreen screen = new DemoScreen(output(bytes), PLAIN.live());
    try (DemoSetup stage = new DemoSetup(screen, PLAIN, DemoStore.here())) {
      DemoSummary summary = new DemoSummary(stage);
      summary.print(screen, PLAIN);

      assertThat(summary.isRight()).isFalse();
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("✗ grants", "SOMETHING IS WRONG");
  }
}
