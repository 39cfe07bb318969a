package io.holdfast.cli.commands.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.cli.Main;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@DisplayName("When nobody reads any more, as behind head,")
class NoReaderTest {

  /** A pipe whose other end is closed. */
  private static final class Closed extends OutputStream {

    private long bytes;

    @Override
    public void write(int b) throws IOException {
      bytes++;
      throw new IOException("Broken pipe");
    }
  }

  @Test
  @DisplayName("watch ends")
  void watch(@TempDir Path folder) throws Exception {
    String uri = "jdbc:sqlite:" + folder.resolve("locks.db");
    try (Holdfast holdfast = Holdfast.connect(uri);
        Hold hold = holdfast.lock("a").acquire()) {
      assertThat(hold.isHeld()).isTrue();
      assertThat(run(new Closed(), "watch", "--every", "50ms", "--store", uri)).isZero();
    }
  }

  @Test
  @DisplayName("ids are no longer made")
  void ids() {
    Closed closed = new Closed();
    assertThat(run(closed, "id", "-n", "1000000")).isZero();
    assertThat(closed.bytes).isLessThan(10_000);
  }

  private static int run(OutputStream to, String... arguments) {
    PrintStream out = System.out;
    System.setOut(new PrintStream(to, true, StandardCharsets.UTF_8));
    try {
      return Main.wholeTree().execute(arguments);
    } finally {
      System.setOut(out);
    }
  }
}
