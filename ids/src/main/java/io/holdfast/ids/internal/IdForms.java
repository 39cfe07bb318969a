package io.holdfast.ids.internal;

import io.holdfast.ids.IdForm;
import io.holdfast.ids.IdLayout;

/** The forms of {@link IdForm}. */
public final class IdForms {

  private IdForms() {}

  /** Returns decimal digits. */
  public static IdForm decimal() {
    return DigitsIdForm.DECIMAL;
  }

  /** Returns Crockford's base 32. */
  public static IdForm crockford() {
    return DigitsIdForm.CROCKFORD;
  }

  /** Returns base 62. */
  public static IdForm base62() {
    return DigitsIdForm.BASE62;
  }

  /** Returns the form that begins with the date. */
  public static IdForm dated(IdLayout layout) {
    return new DatedIdForm(layout);
  }
}
