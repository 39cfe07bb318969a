package io.holdfast.cli.demo;

import java.io.Console;
import java.nio.charset.Charset;
import java.util.stream.Stream;

/**
 * What the output can show.
 *
 * @param live whether it is a terminal with colours and a last line that may be redrawn
 * @param unicode whether it can show more than ASCII
 */
record DemoStyle(boolean live, boolean unicode) {

  /** Colours out of the sixteen that every theme has. */
  enum Paint {
    BOLD("1"),
    DIM("2"),
    RED("1;31"),
    GREEN("32"),
    CYAN("36"),
    YELLOW("33"),
    MAGENTA("35"),
    BLUE("94");

    private final String code;

    Paint(String code) {
      this.code = code;
    }
  }

  private static final int SHOWN_DIGITS = 9;
  private static final String SYMBOLS = "█▒░○·─…✓✗";

  /** What standard output is. */
  static DemoStyle ofStandardOutput(boolean noColour) {
    boolean refused = noColour || !env("NO_COLOR").isEmpty() || env("TERM").equals("dumb");
    return new DemoStyle(!refused && isTerminal(), encoding().newEncoder().canEncode(SYMBOLS));
  }

  private static String env(String name) {
    String value = System.getenv(name);
    return value == null ? "" : value;
  }

  /** Newer JDKs have a console for files and pipes too, and a method that says so. */
  @SuppressWarnings("SystemConsoleNull") // older ones have none then
  private static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** The property that says so is another one in every generation of the JDK. */
  private static Charset encoding() {
    return Stream.of("stdout.encoding", "sun.stdout.encoding", "native.encoding")
        .map(System::getProperty)
        .filter(name -> name != null && !name.isEmpty())
        .map(Charset::forName)
        .findFirst()
        .orElse(Charset.defaultCharset());
  }

  String paint(Paint paint, String text) {
    return live ? "\u001b[" + paint.code + "m" + text + "\u001b[0m" : text;
  }

  /** The end of a number that has many digits. */
  String shortened(long number) {
    String digits = String.valueOf(number);
    int from = digits.length() - SHOWN_DIGITS;
    return from <= 0 ? digits : pick("…", "..") + digits.substring(from);
  }

  /** A symbol, or what stands for it. */
  String pick(String symbol, String ascii) {
    return unicode ? symbol : ascii;
  }
}
