package io.holdfast;

import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;

/** Who asks for a claim, and is reached while it waits. Safe for any thread. */
interface Asker extends Verb.Answer<Standing> {

  /** It is worth asking again. */
  void wake();

  /** The ticket is in, as a signal says that belongs to the attempt that was sent then. */
  void letIn(Standing.Granted granted, SendTime attempt);

  /** What reaches it for the attempt that is sent then. */
  default Wake signal(SendTime attempt) {
    return new Wake() {
      @Override
      public void wake() {
        Asker.this.wake();
      }

      @Override
      public void granted(Standing.Granted granted) {
        letIn(granted, attempt);
      }
    };
  }
}
