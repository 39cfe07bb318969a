package io.holdfast.zookeeper.session;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What it costs to keep many locks. */
@Timeout(180)
class ManyHeldIT {

  @Test
  @DisplayName("two thousand held locks on one session cost as many requests as ten")
  void flat() throws Exception {
    new HeldRate().requireFlat(10, 2_000);
  }
}
