package io.holdfast.ids;

import io.holdfast.ids.internal.IdForms;

/**
 * A text form of ids, for people, URLs and programs that cannot hold 64 bits.
 *
 * <p>Reading returns exactly what was written; {@link LongIds#describe} or {@link
 * IdLayout#describe} then returns time, worker and sequence. Thread-safe.
 */
public interface IdForm {

  /**
   * Returns the text of an id.
   *
   * @param id 0 or more
   */
  String write(long id);

  /**
   * Returns the id of a text.
   *
   * @throws IllegalArgumentException if the text is not in this form
   */
  long read(String text);

  /** Returns this form of hidden ids: strangers cannot tell how many there are. */
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

  /** Returns decimal digits: use this in JSON, as a string. */
  static IdForm decimal() {
    return IdForms.decimal();
  }

  /**
   * Returns Crockford's base 32: 13 characters that sort like the ids and are easy to read aloud.
   * Reading accepts lower case, O for 0, I and L for 1, and hyphens.
   */
  static IdForm crockford() {
    return IdForms.crockford();
  }

  /** Returns base 62: 11 digits and letters of both cases that sort like the ids. */
  static IdForm base62() {
    return IdForms.base62();
  }

  /**
   * Returns a form that begins with the day, such as {@code 20261115-0G5ZK3M0R1}: the date in UTC,
   * a hyphen, and the rest of the id in Crockford's base 32. Sorts like the ids.
   *
   * @param layout of the time-ordered ids
   */
  static IdForm dated(IdLayout layout) {
    return IdForms.dated(layout);
  }
}
