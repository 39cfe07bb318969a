package io.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.settings.Limits;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PrincipalLimitsTest {

  private static final Principal BILLING = new Principal("billing", List.of());
  private static final Principal OPS = new Principal("ops", List.of());

  private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
  private final PrincipalLimits limits =
      new PrincipalLimits(new Limits(2, 3, 4, 1 << 20), nanos::get);

  private static Ticket ticket(int number, boolean waits) {
    return new Ticket(
        new Ticket.Id(1, 2, number),
        new Resource("default", "x"),
        Shape.mutex(Order.ANY),
        1,
        Duration.ofSeconds(10),
        0,
        waits,
        new Owner("", "h", 1, "t", ""));
  }

  @Test
  @DisplayName(
      "connections: above the limit only for renewals and releases, above twice not at all")
  void connections() {
    Permit first = limits.connection(BILLING);
    Permit second = limits.connection(BILLING);
    Permit third = limits.connection(BILLING);
    Permit fourth = limits.connection(BILLING);
    Permit fifth = limits.connection(BILLING);

    assertThat(first.refusal()).isEmpty();
    assertThat(second.check(Call.ATTEMPT)).isEmpty();
    assertThat(third.refusal()).isEmpty();
    assertThat(third.check(Call.RENEW)).isEmpty();
    assertThat(third.check(Call.LEAVE)).isEmpty();
    Refusal refusal = third.check(Call.ATTEMPT).orElseThrow();
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.detail())
        .isEqualTo(
            "principal \"billing\" has 2 open connections at this server, which is the limit"
                + " connections");
    assertThat(fourth.refusal()).isEmpty();
    assertThat(fifth.refusal()).isPresent();
    assertThat(limits.usage(BILLING).connections()).isEqualTo(4);

    fifth.close();
    first.close();
    first.close();
    second.close();
    third.close();
    assertThat(limits.usage(BILLING).connections()).isEqualTo(1);
    assertThat(limits.connection(BILLING).check(Call.ATTEMPT)).isEmpty();
  }

  @Test
  @DisplayName("one principal's use takes nothing from another")
  void apart() {
    for (int i = 0; i < 10; i++) {
      limits.connection(BILLING);
      limits.request(BILLING, Call.ATTEMPT);
      limits.waits(BILLING, ticket(i, true));
    }
    assertThat(limits.connection(OPS).check(Call.ATTEMPT)).isEmpty();
    assertThat(limits.request(OPS, Call.ATTEMPT).refusal()).isEmpty();
    assertThat(limits.waits(OPS, ticket(1, true))).isEmpty();
  }

  @Test
  @DisplayName("a full queue refuses every call but renewals and releases, which do not count")
  void queue() {
    List<Permit> full = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      full.add(limits.request(BILLING, Call.ATTEMPT));
      assertThat(full.get(i).refusal()).isEmpty();
    }
    for (Call call : Call.values()) {
      boolean refused = limits.request(BILLING, call).refusal().isPresent();
      assertThat(refused).as(call.name()).isEqualTo(!call.isKeeping());
    }
    assertThat(List.of(Call.values()).stream().filter(Call::isKeeping))
        .containsExactly(Call.RENEW, Call.LEAVE, Call.RENEW_TICKETS, Call.RELEASE_TICKETS);
    assertThat(limits.usage(BILLING).queue()).isEqualTo(4);

    full.get(0).close();
    assertThat(limits.request(BILLING, Call.ATTEMPT).refusal()).isEmpty();
  }

  @Test
  @DisplayName("a waiting ticket keeps its place at the limit, and a new one is refused")
  void waiting() {
    for (int i = 1; i <= 3; i++) {
      assertThat(limits.waits(BILLING, ticket(i, true))).isEmpty();
    }

    assertThat(limits.waits(BILLING, ticket(4, true))).map(Refusal::status).contains(429);
    assertThat(limits.waits(BILLING, ticket(1, true))).isEmpty();
    assertThat(limits.waits(BILLING, ticket(5, false))).isEmpty();
    assertThat(limits.usage(BILLING).waiting()).isEqualTo(3);

    limits.waitsNoMore(BILLING, ticket(2, true));
    limits.waitsNoMore(BILLING, ticket(2, true));
    assertThat(limits.waits(BILLING, ticket(4, true))).isEmpty();
  }

  @Test
  @DisplayName("the tickets of dead clients make room when their leases have ended")
  void dead() {
    limits.waits(BILLING, ticket(1, true));
    limits.waits(BILLING, ticket(2, true));
    nanos.addAndGet(Duration.ofSeconds(6).toNanos());
    limits.waits(BILLING, ticket(3, true));
    limits.waits(BILLING, ticket(2, true));
    assertThat(limits.waits(BILLING, ticket(4, true))).isPresent();

    nanos.addAndGet(Duration.ofSeconds(4).toNanos());

    assertThat(limits.waits(BILLING, ticket(4, true))).isEmpty();
    assertThat(limits.waits(BILLING, ticket(5, true))).isPresent();
    assertThat(limits.usage(BILLING).waiting()).isEqualTo(3);
  }

  @Test
  @DisplayName("limits are within bounds")
  void bounds() {
    assertThat(limits.maxBody()).isEqualTo(1 << 20);
    assertThat(Limits.DEFAULTS.body()).isEqualTo(1 << 20);
    assertThatThrownBy(() -> new Limits(0, 1, 1, 1024)).hasMessageContaining("connections must be");
  }

  @Test
  @DisplayName("many threads get no more than the limit, and give everything back")
  void threads() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  return;
                }
                for (int i = 0; i < 20_000; i++) {
                  try (Permit permit = limits.request(BILLING, Call.ATTEMPT)) {
                    if (permit.refusal().isEmpty()) {
                      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                      inside.decrementAndGet();
                    }
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most.get()).isBetween(1, 4);
    assertThat(limits.usage(BILLING).queue()).isZero();
  }
}
