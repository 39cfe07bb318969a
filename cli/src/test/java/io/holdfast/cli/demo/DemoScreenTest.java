package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A screen")
class DemoScreenTest {

  private static final String CLEAR = "\r\u001b[2K";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String written() {
    String text = bytes.toString(StandardCharsets.UTF_8);
    bytes.reset();
    return text;
  }

  @Test
  @DisplayName("on a terminal prints lines above the redrawn line")
  void live() {
    DemoScreen screen = new DemoScreen(out, /* live= */ true);
    screen.redraw("bar");
    written();

    screen.line("news");

    assertThat(written()).isEqualTo(CLEAR + "news\nbar");
  }

  @Test
  @DisplayName("restores the cursor when it is closed, once")
  void cursor() {
    DemoScreen screen = new DemoScreen(out, /* live= */ true);
    assertThat(written()).isEqualTo("\u001b[?25l");

    screen.close();
    screen.close();

    assertThat(written()).isEqualTo(CLEAR + "\u001b[?25h");
  }

  @Test
  @DisplayName("elsewhere prints lines and nothing else")
  void plain() {
    DemoScreen screen = new DemoScreen(out, /* live= */ false);
    screen.redraw("bar");
    screen.line("news ");
    screen.close();

    assertThat(written()).isEqualTo("news" + System.lineSeparator());
  }
}
