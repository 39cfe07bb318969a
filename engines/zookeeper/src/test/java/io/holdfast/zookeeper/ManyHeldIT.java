package io.holdfast.zookeeper;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What it costs to keep many locks. */
@Timeout(180)
class ManyHeldIT {

  @Test
  @DisplayName("three thousand held locks on one session cost the looks of a beat, and no more")
  void flat() throws Exception {
    new HeldRate().requireFlat(3_000);
  }
}
