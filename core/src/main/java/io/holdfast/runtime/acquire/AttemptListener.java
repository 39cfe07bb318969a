package io.holdfast.runtime.acquire;

import io.holdfast.runtime.renew.SendTime;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;

/** Receives the reply to an attempt and the signals while it waits. Thread-safe. */
interface AttemptListener extends Verb.Answer<Standing> {

  /** Another attempt is worthwhile. */
  void wake();

  /**
   * A signal reported the grant of the ticket; the signal belongs to the attempt sent at the given
   * time.
   */
  void letIn(Standing.Granted granted, SendTime attempt);

  /** Returns the wake for the attempt that is sent at the given time. */
  default Wake signal(SendTime attempt) {
    return new Wake() {
      @Override
      public void wake() {
        AttemptListener.this.wake();
      }

      @Override
      public void granted(Standing.Granted granted) {
        letIn(granted, attempt);
      }
    };
  }
}
