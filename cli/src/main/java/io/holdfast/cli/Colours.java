package io.holdfast.cli;

/** Whether text is coloured, and how. */
public enum Colours {
  /** Plain text. */
  OFF,
  /** Text with the escape sequences of a terminal. */
  ON;

  /** Colours out of the sixteen that every theme has. */
  public enum Ink {
    /** Headings. */
    BOLD("1"),
    /** Text of less importance. */
    FAINT("2"),
    /** A good result. */
    GOOD("32"),
    /** A warning. */
    WARN("33"),
    /** An error. */
    BAD("1;31"),
    /** A name. */
    NAME("36");

    private final String code;

    Ink(String code) {
      this.code = code;
    }
  }

  /** Returns the text in that colour, or unchanged if colours are off. */
  public String paint(Ink ink, String text) {
    return this == OFF ? text : "\u001b[" + ink.code + "m" + text + "\u001b[0m";
  }
}
