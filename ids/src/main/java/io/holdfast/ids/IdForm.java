package io.holdfast.ids;

/**
 * How an id is written for people, addresses and programs that cannot hold 64 bits. What is read is
 * exactly what was written; {@link LongIds#describe} or {@link Layout#describe} then tells time,
 * worker and sequence. Any thread may use a form.
 */
public interface IdForm {

  /**
   * The text of an id.
   *
   * @param id 0 or more
   */
  String write(long id);

  /**
   * The id of a text.
   *
   * @throws IllegalArgumentException when it is not such a text
   */
  long read(String text);

  /** This form of the hidden ids: strangers cannot tell how many there are. */
  default IdForm hiding(Permutation permutation) {
    IdForm plain = this;
    return new IdForm() {
      @Override
      public String write(long id) {
        return plain.write(permutation.hide(id));
      }

      @Override
      public long read(String text) {
        return permutation.show(plain.read(text));
      }
    };
  }

  /** Decimal digits: what belongs into JSON, as a string. */
  static IdForm decimal() {
    return DigitsForm.DECIMAL;
  }

  /**
   * Crockford's base 32: 13 characters that sort like the ids and that people can read out. Small
   * letters, O for 0, I and L for 1 and hyphens are understood.
   */
  static IdForm crockford() {
    return DigitsForm.CROCKFORD;
  }

  /** Base 62: 11 characters, digits and letters large and small, that sort like the ids. */
  static IdForm base62() {
    return DigitsForm.BASE62;
  }

  /**
   * The day at a glance, such as {@code 20261115-0G5ZK3M0R1}: the date in UTC, a hyphen, and the
   * rest of the id in Crockford's base 32. Sorts like the ids.
   *
   * @param layout of the time-ordered ids
   */
  static IdForm dated(Layout layout) {
    return new DatedForm(layout);
  }
}
