package io.holdfast.server.security;

/** Makes foreign text fit for one line of a log or an error message. */
final class Quoted {

  private static final int LONGEST = 120;

  private Quoted() {}

  /** Quotes, escapes control and direction characters, and cuts to a readable length. */
  static String text(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    text.codePoints().limit(LONGEST).forEach(c -> append(out, c));
    if (text.codePointCount(0, text.length()) > LONGEST) {
      out.append("…");
    }
    return out.append('"').toString();
  }

  private static void append(StringBuilder out, int c) {
    if (isUnsafe(c)) {
      out.append(String.format("\\u%04x", c));
    } else if (c == '"' || c == '\\') {
      out.append('\\').appendCodePoint(c);
    } else {
      out.appendCodePoint(c);
    }
  }

  private static boolean isUnsafe(int c) {
    int type = Character.getType(c);
    return Character.isISOControl(c)
        || type == Character.FORMAT
        || type == Character.SURROGATE
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
