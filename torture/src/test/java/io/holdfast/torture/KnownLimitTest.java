package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KnownLimitTest {
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final long SECOND = 1_000_000_000;
  private static final KnownLimit LIMIT = new KnownLimit(FaultKind.LEADER_STOPPED, 1);

  @Test
  @DisplayName("explains what happens from the fault to one lease after its end, and no more")
  void window() {
    Fault fault = new Fault(FaultKind.LEADER_STOPPED, "etcd", -1, 10 * SECOND, 16 * SECOND);
    assertThat(LIMIT.explains(fault, 9 * SECOND, LEASE)).isFalse();
    assertThat(LIMIT.explains(fault, 10 * SECOND, LEASE)).isTrue();
    assertThat(LIMIT.explains(fault, 20 * SECOND, LEASE)).isTrue();
    assertThat(LIMIT.explains(fault, 22 * SECOND, LEASE)).isFalse();
  }

  @Test
  @DisplayName("does not explain by a shorter fault or one of another kind")
  void others() {
    Fault brief = new Fault(FaultKind.LEADER_STOPPED, "etcd", -1, 10 * SECOND, 14 * SECOND);
    assertThat(LIMIT.explains(brief, 14 * SECOND, LEASE)).isFalse();
    Fault other = new Fault(FaultKind.LEADER_KILLED, "etcd", -1, 10 * SECOND, 16 * SECOND);
    assertThat(LIMIT.explains(other, 14 * SECOND, LEASE)).isFalse();
  }
}
