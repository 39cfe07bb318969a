package io.holdfast.spi.support;

import io.holdfast.spi.Owner;
import java.util.Optional;

/**
 * Writes and reads an owner as one line of text with tabs between its parts.
 *
 * <p>The text is for people who look into the store with its own tools, and for {@link #read}. It
 * is safe to embed: it contains no control character except the four tabs, no unpaired surrogate,
 * and at most {@value #MAX_LENGTH} characters. What does not fit is replaced or cut off, never
 * refused, because an owner is for display only.
 */
public final class OwnerText {

  /** The length that no written text exceeds, in {@code char}s. */
  public static final int MAX_LENGTH = 4000;

  private static final int PARTS = 5;

  // Three names, one text, a number of up to 20 digits and four tabs stay below MAX_LENGTH.
  private static final int MAX_NAME = 500;
  private static final int MAX_TEXT = 2400;

  private OwnerText() {}

  /**
   * Returns the text of an owner. In each part a control character becomes a space, an unpaired
   * surrogate becomes a question mark, and what is too long is cut off.
   */
  public static String write(Owner owner) {
    return String.join(
        "\t",
        clean(owner.app(), MAX_NAME),
        clean(owner.host(), MAX_NAME),
        Long.toString(owner.pid()),
        clean(owner.thread(), MAX_NAME),
        clean(owner.text(), MAX_TEXT));
  }

  /**
   * Returns the owner that {@link #write} wrote. A text of any other form becomes the free text of
   * an owner whose other parts are empty, so that a listing shows it as it is.
   */
  public static Owner read(String stored) {
    return parse(stored).orElseGet(() -> new Owner("", "", 0, "", stored));
  }

  /** Returns the owner that {@link #write} wrote, or nothing for a text of any other form. */
  public static Optional<Owner> parse(String stored) {
    String[] parts = stored.split("\t", PARTS);
    if (parts.length < PARTS) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Owner(parts[0], parts[1], Long.parseLong(parts[2]), parts[3], parts[4]));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static String clean(String part, int longest) {
    boolean plain = part.length() <= longest;
    for (int i = 0; plain && i < part.length(); i++) {
      char c = part.charAt(i);
      plain = !Character.isISOControl(c) && !Character.isSurrogate(c);
    }
    return plain ? part : cleaned(part, longest);
  }

  private static String cleaned(String part, int longest) {
    StringBuilder out = new StringBuilder();
    int i = 0;
    while (i < part.length()) {
      int c = part.codePointAt(i);
      i += Character.charCount(c);
      if (out.length() + Character.charCount(c) > longest) {
        break;
      }
      boolean unpaired = Character.getType(c) == Character.SURROGATE;
      out.appendCodePoint(Character.isISOControl(c) ? ' ' : unpaired ? '?' : c);
    }
    return out.toString();
  }
}
