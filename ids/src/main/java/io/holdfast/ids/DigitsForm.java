package io.holdfast.ids;

import java.util.Arrays;
import java.util.Locale;

/** A number in digits of some base, with zeros in front so that all texts are of one length. */
record DigitsForm(String digits, int length, boolean forgiving) implements IdForm {

  static final DigitsForm DECIMAL = new DigitsForm("0123456789", 1, false);
  static final DigitsForm CROCKFORD = new DigitsForm("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 13, true);
  static final DigitsForm BASE62 =
      new DigitsForm("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 11, false);

  private static final int LONGEST = 64;

  DigitsForm ofLength(int other) {
    return new DigitsForm(digits, other, forgiving);
  }

  @Override
  public String write(long id) {
    if (id < 0) {
      throw new IllegalArgumentException("no id of ours is negative: id=" + id);
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
    String plain = forgiving ? plain(text) : text;
    long id = 0;
    for (int i = 0; i < plain.length(); i++) {
      int digit = digits.indexOf(plain.charAt(i));
      if (digit < 0 || id > (Long.MAX_VALUE - digit) / digits.length()) {
        throw notOne(text);
      }
      id = id * digits.length() + digit;
    }
    if (plain.isEmpty() || plain.length() > LONGEST) {
      throw notOne(text);
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

  private IllegalArgumentException notOne(String text) {
    return new IllegalArgumentException(
        "not an id in base "
            + digits.length()
            + ": \""
            + (text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text)
            + "\"");
  }
}
