package io.holdfast.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Standard output or standard error: colours on a terminal, plain text elsewhere. */
public final class Screen {

  private static final int USUAL_WIDTH = 80;

  private final PrintStream stream;
  private final boolean terminal;
  private final Colours colours;

  private Screen(PrintStream stream, boolean terminal) {
    this.stream = stream;
    this.terminal = terminal;
    this.colours = terminal && !refused() ? Colours.ON : Colours.OFF;
  }

  /** Standard output, for results. */
  public static Screen out() {
    return new Screen(System.out, isTerminal(1));
  }

  /** Standard error, for everything that is not the result: errors, notes, progress. */
  public static Screen err() {
    return new Screen(System.err, isTerminal(2));
  }

  private static boolean refused() {
    String noColour = System.getenv("NO_COLOR");
    return (noColour != null && !noColour.isEmpty()) || "dumb".equals(System.getenv("TERM"));
  }

  /** Asked of the kernel, as Java only knows whether input <i>and</i> output are terminals. */
  @SuppressWarnings("SystemConsoleNull") // newer JDKs that have one always run where /proc is
  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd/" + descriptor);
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return System.console() != null;
    }
  }

  /** Whether somebody looks at it, so that lines may be redrawn. */
  public boolean isTerminal() {
    return terminal;
  }

  /** The colours of this output. */
  public Colours colours() {
    return colours;
  }

  /** The text in that colour, or as it is where there are none. */
  public String paint(Colours.Ink ink, String text) {
    return colours.paint(ink, text);
  }

  /**
   * Foreign text as it may stand on a terminal: nothing in it moves the cursor or ends the line.
   */
  public static String safe(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> safe.append(isOdd(c) ? String.format("\\u%04x", c) : Character.toString(c)));
    return safe.toString();
  }

  /** Whether it is a control character, or changes how other characters are shown. */
  public static boolean isOdd(int codePoint) {
    int type = Character.getType(codePoint);
    return Character.isISOControl(codePoint)
        || type == Character.FORMAT
        || type == Character.SURROGATE
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  /** Prints a line. */
  public void line(String text) {
    stream.println(text);
  }

  /** Prints a line of the program's own to standard error. What is foreign in it is made safe. */
  public static void say(String text) {
    err().line("holdfast: " + safe(text));
  }

  /** Whether output could not be written because its reader, such as {@code head}, has ended. */
  public boolean isGone() {
    return stream.checkError();
  }

  /** Prints what is no whole line, at once. */
  public void print(String text) {
    stream.print(text);
    stream.flush();
  }

  /** How many columns there are; asks the terminal, which takes some milliseconds. */
  public int width() {
    Integer told = number(System.getenv("COLUMNS"));
    if (told != null) {
      return told;
    }
    Integer asked = terminal ? askedWidth() : null;
    return asked == null ? USUAL_WIDTH : asked;
  }

  private static @Nullable Integer askedWidth() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(Path.of("/dev/tty").toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim();
      return stty.waitFor(1, TimeUnit.SECONDS)
          ? number(answer.substring(answer.indexOf(' ') + 1))
          : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private static @Nullable Integer number(@Nullable String text) {
    return text != null && text.matches("[1-9]\\d{1,3}") ? Integer.valueOf(text) : null;
  }
}
