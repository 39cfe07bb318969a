package io.holdfast.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A screen")
class ScreenTest {

  private static final String CLEAR = "\r\u001b[2K";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String written() {
    String text = bytes.toString(StandardCharsets.UTF_8);
    bytes.reset();
    return text;
  }

  @Test
  @DisplayName("on a terminal puts lines above the one that is redrawn")
  void live() {
    Screen screen = new Screen(out, /* live= */ true);
    screen.redraw("bar");
    written();

    screen.line("news");

    assertThat(written()).isEqualTo(CLEAR + "news\nbar");
  }

  @Test
  @DisplayName("gives the cursor back when it is closed, once")
  void cursor() {
    Screen screen = new Screen(out, /* live= */ true);
    assertThat(written()).isEqualTo("\u001b[?25l");

    screen.close();
    screen.close();

    assertThat(written()).isEqualTo(CLEAR + "\u001b[?25h");
  }

  @Test
  @DisplayName("elsewhere prints lines and nothing else")
  void plain() {
    Screen screen = new Screen(out, /* live= */ false);
    screen.redraw("bar");
    screen.line("news ");
    screen.close();

    assertThat(written()).isEqualTo("news" + System.lineSeparator());
  }
}
