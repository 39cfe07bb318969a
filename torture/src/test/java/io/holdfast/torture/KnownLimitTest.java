package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KnownLimitTest {
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final long SECOND = 1_000_000_000;
  private static final KnownLimit LIMIT = KnownLimit.after(FaultKind.LEADER_STOPPED, 1, 1);

  /** Promoted after a second; the former master is a replica 11 s later. */
  private static final Fault FAILOVER =
      new Fault(FaultKind.PLANNED_FAILOVER, "redis", -1, 10 * SECOND, 11 * SECOND, 22 * SECOND);

  private static final KnownLimit ANNOUNCED = KnownLimit.announced(FaultKind.PLANNED_FAILOVER, 2);

  @Test
  @DisplayName("explains what happens from the fault to one lease after its end, and no more")
  void window() {
    Fault fault = new Fault(FaultKind.LEADER_STOPPED, "etcd", -1, 10 * SECOND, 16 * SECOND);
    assertThat(explains(LIMIT, fault, 9 * SECOND)).isFalse();
    assertThat(explains(LIMIT, fault, 10 * SECOND)).isTrue();
    assertThat(explains(LIMIT, fault, 20 * SECOND)).isTrue();
    assertThat(explains(LIMIT, fault, 22 * SECOND)).isFalse();
  }

  @Test
  @DisplayName("explains nothing that lasts for longer than a lease")
  void length() {
    Fault fault = new Fault(FaultKind.LEADER_STOPPED, "etcd", -1, 10 * SECOND, 16 * SECOND);
    assertThat(LIMIT.explains(fault, 12 * SECOND, 17 * SECOND, LEASE, false)).isTrue();
    assertThat(LIMIT.explains(fault, 12 * SECOND, 17 * SECOND + 1, LEASE, false)).isFalse();
  }

  private static boolean explains(KnownLimit limit, Fault fault, long start) {
    return limit.explains(fault, start, start + SECOND, LEASE, false);
  }

  @Test
  @DisplayName("a planned failover explains what happens until the new master is named")
  void promotion() {
    assertThat(explains(ANNOUNCED, FAILOVER, 10 * SECOND - 1)).isFalse();
    assertThat(explains(ANNOUNCED, FAILOVER, 10 * SECOND)).isTrue();
    assertThat(explains(ANNOUNCED, FAILOVER, 13 * SECOND)).isTrue();
    assertThat(explains(ANNOUNCED, FAILOVER, 13 * SECOND + 1)).isFalse();
  }

  @Test
  @DisplayName(
      "to those that were not told, it explains more, until the former master is a replica")
  void notTold() {
    long whole = 22 * SECOND;
    assertThat(ANNOUNCED.explains(FAILOVER, whole, whole + 1, LEASE, true)).isTrue();
    assertThat(ANNOUNCED.explains(FAILOVER, whole, whole + 1, LEASE, false)).isFalse();
    assertThat(ANNOUNCED.explains(FAILOVER, whole + 1, whole + 2, LEASE, true)).isFalse();
    assertThat(ANNOUNCED.explains(FAILOVER, 10 * SECOND - 1, whole, LEASE, true)).isFalse();
  }

  @Test
  @DisplayName("a worker that was stopped or cut off was not told, another one was")
  void hampered() {
    Call call = Calls.granted("a", "any-0", true, 1, 2);
    assertThat(Fault.ofWorker(FaultKind.WORKER_STOPPED, 0, 0, 1).hampers(call)).isTrue();
    assertThat(Fault.ofWorker(FaultKind.LINK_CUT, 0, 0, 1).hampers(call)).isTrue();
    assertThat(Fault.ofWorker(FaultKind.LINK_CUT, 1, 0, 1).hampers(call)).isFalse();
    assertThat(Fault.ofWorker(FaultKind.WORKER_KILLED, 0, 0, 1).hampers(call)).isFalse();
    assertThat(new Fault(FaultKind.MEMBER_UNREACHABLE, "port", -1, 0, 1).hampers(call)).isTrue();
    assertThat(FAILOVER.hampers(call)).isFalse();
  }

  @Test
  @DisplayName("does not explain by a shorter fault or one of another kind")
  void others() {
    Fault brief = new Fault(FaultKind.LEADER_STOPPED, "etcd", -1, 10 * SECOND, 14 * SECOND);
    assertThat(explains(LIMIT, brief, 14 * SECOND)).isFalse();
    Fault other = new Fault(FaultKind.LEADER_KILLED, "etcd", -1, 10 * SECOND, 16 * SECOND);
    assertThat(explains(LIMIT, other, 14 * SECOND)).isFalse();
  }
}
