package io.holdfast.zookeeper.session;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What it costs to keep very many locks. */
@Timeout(180)
class TenThousandHeldIT {

  @Test
  @DisplayName("ten thousand held locks on one session cost as many requests as ten")
  void flat() throws Exception {
    new HeldRate().requireFlat(10, 5_000, 10_000);
  }
}
