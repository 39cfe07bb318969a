package io.holdfast.ids.internal;

import io.holdfast.ids.IdForm;
import java.util.Arrays;
import java.util.Locale;

/** A number in digits of a base, padded with zeros to one length. */
record DigitsIdForm(String digits, int length, boolean lenient) implements IdForm {

  static final DigitsIdForm DECIMAL = new DigitsIdForm("0123456789", 1, false);
  static final DigitsIdForm CROCKFORD =
      new DigitsIdForm("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 13, true);
  static final DigitsIdForm BASE62 =
      new DigitsIdForm("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 11, false);

  private static final int LONGEST = 64;

  DigitsIdForm ofLength(int other) {
    return new DigitsIdForm(digits, other, lenient);
  }

  @Override
  public String write(long id) {
    if (id < 0) {
      throw new IllegalArgumentException("ids are not negative: id=" + id);
    }
    char[] text = new char[LONGEST];
    Arrays.fill(text, digits.charAt(0));
    int at = LONGEST;
    for (long rest = id; rest > 0; rest /= digits.length()) {
      text[--at] = digits.charAt((int) (rest % digits.length()));
    }
    int from = Math.min(at, LONGEST - length);
    return new String(text, from, LONGEST - from);
  }

  @Override
  public long read(String text) {
    String plain = lenient ? plain(text) : text;
    long id = 0;
    for (int i = 0; i < plain.length(); i++) {
      int digit = digits.indexOf(plain.charAt(i));
      if (digit < 0 || id > (Long.MAX_VALUE - digit) / digits.length()) {
        throw invalid(text);
      }
      id = id * digits.length() + digit;
    }
    if (plain.isEmpty() || plain.length() > LONGEST) {
      throw invalid(text);
    }
    return id;
  }

  private static String plain(String text) {
    return text.toUpperCase(Locale.ROOT)
        .replace("-", "")
        .replace('O', '0')
        .replace('I', '1')
        .replace('L', '1');
  }

  private IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException(
        "not an id in base "
            + digits.length()
            + ": \""
            + (text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text)
            + "\"");
  }
}
