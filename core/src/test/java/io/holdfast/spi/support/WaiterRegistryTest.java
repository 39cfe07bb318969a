package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.spi.support.WaiterRegistry.Armed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaiterRegistryTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Close to the overflow of the clock: only differences may count. */
  private long now = Long.MAX_VALUE - SECOND;

  private final List<String> woken = new ArrayList<>();
  private final List<String> unused = new ArrayList<>();
  private final WaiterRegistry<String> registry = new WaiterRegistry<>(() -> now, unused::add);

  private static Ticket ticket(long number) {
    return new Ticket(
        new Ticket.Id(1, 2, number),
        new Resource("default", "door"),
        Shape.mutex(Order.FIFO),
        1,
        LEASE,
        0,
        true,
        new Owner("", "host", 1, "main", ""));
  }

  private Wake wake(String name) {
    return () -> woken.add(name);
  }

  @Test
  void aGroupIsWokenAndNoOther() {
    registry.arm("a", ticket(1), wake("1"));
    registry.arm("a", ticket(2), wake("2"));
    registry.arm("b", ticket(3), wake("3"));
    registry.wake("a");
    assertThat(woken).containsExactlyInAnyOrder("1", "2");
    registry.wake("c");
    assertThat(woken).hasSize(2);
    woken.clear();
    registry.wakeAll();
    assertThat(woken).containsExactlyInAnyOrder("1", "2", "3");
    assertThat(registry.keys()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void arrivingAgainReplacesTheWakeAndKeepsTheNumber() {
    Armed<String> first = registry.arm("a", ticket(1), wake("first"));
    Armed<String> second = registry.arm("a", ticket(1), wake("second"));
    assertThat(second.number()).isEqualTo(first.number());
    assertThat(first.attempt()).isEqualTo(1);
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(registry.find(first.number())).isSameAs(second);
    assertThat(registry.find(ticket(1).id())).isSameAs(second);
    registry.wake("a");
    assertThat(woken).containsExactly("second");
    assertThat(registry.size()).isEqualTo(1);
  }

  @Test
  void numbersAreNeverUsedTwice() {
    Armed<String> first = registry.arm("a", ticket(1), wake("1"));
    registry.remove(ticket(1).id());
    Armed<String> again = registry.arm("a", ticket(1), wake("1"));
    assertThat(again.number()).isNotEqualTo(first.number());
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(registry.find(first.number())).isNull();
  }

  @Test
  void aWaiterMayMoveToAnotherGroup() {
    registry.arm("a", ticket(1), wake("1"));
    registry.arm("b", ticket(1), wake("1"));
    assertThat(registry.keys()).containsExactly("b");
    assertThat(unused).containsExactly("a");
    registry.wake("b");
    assertThat(woken).containsExactly("1");
  }

  @Test
  void removeReportsWhetherTheTicketWaitedAndNothingStays() {
    assertThat(registry.remove(ticket(1).id())).isFalse();
    Armed<String> armed = registry.arm("a", ticket(1), wake("1"));
    assertThat(registry.contains(ticket(1).id())).isTrue();
    assertThat(registry.hasWaiters("a")).isTrue();
    assertThat(registry.remove(ticket(1).id())).isTrue();
    assertThat(registry.contains(ticket(1).id())).isFalse();
    assertThat(registry.find(armed.number())).isNull();
    assertThat(registry.hasWaiters("a")).isFalse();
    assertThat(registry.isEmpty()).isTrue();
    registry.wakeAll();
    assertThat(woken).isEmpty();
  }

  @Test
  void aGroupIsReportedWhenItsLastWaiterIsRemoved() {
    registry.arm("a", ticket(1), wake("1"));
    registry.arm("a", ticket(2), wake("2"));
    registry.remove(ticket(1).id());
    assertThat(unused).isEmpty();
    registry.remove(ticket(2).id());
    assertThat(unused).containsExactly("a");
  }

  @Test
  void placesChooseTheWaitersAndAnUnknownPlaceIsMeantToo() {
    registry.arm("a", ticket(1), wake("1"));
    registry.arm("a", ticket(2), wake("2"));
    registry.arm("a", ticket(3), wake("3"));
    registry.setPlace(ticket(1).id(), 11);
    registry.setPlace(ticket(2).id(), 12);
    registry.wake("a", List.of(12L, 13L));
    assertThat(woken).containsExactlyInAnyOrder("2", "3");
    woken.clear();
    registry.arm("a", ticket(1), wake("1"));
    registry.wake("a", List.of(14L));
    assertThat(woken).as("a place outlives the attempt").containsExactly("3");
    registry.setPlace(ticket(9).id(), 1);
    assertThat(registry.contains(ticket(9).id())).isFalse();
  }

  @Test
  void aWaiterThatIsNotArmedForOneLeaseIsDropped() {
    registry.arm("a", ticket(1), wake("1"));
    now += LEASE.toNanos() - 1;
    assertThat(registry.size()).isEqualTo(1);
    now += 1;
    assertThat(registry.size()).isZero();
    assertThat(unused).containsExactly("a");
    registry.wakeAll();
    assertThat(woken).isEmpty();
  }

  @Test
  void armingKeepsAWaiterForAnotherLease() {
    registry.arm("a", ticket(1), wake("1"));
    now += LEASE.toNanos() - 1;
    registry.arm("a", ticket(1), wake("1"));
    now += LEASE.toNanos() - 1;
    assertThat(registry.size()).isEqualTo(1);
  }

  @Test
  void armDropsDeadWaitersAtMostOnceASecond() {
    registry.arm("a", ticket(1), wake("1"));
    now += LEASE.toNanos() - SECOND / 2;
    registry.arm("b", ticket(2), wake("2"));
    now += SECOND / 2;
    registry.arm("b", ticket(2), wake("2"));
    assertThat(registry.contains(ticket(1).id())).as("swept half a second ago").isTrue();
    now += SECOND / 2;
    registry.arm("b", ticket(2), wake("2"));
    assertThat(registry.contains(ticket(1).id())).isFalse();
    assertThat(unused).containsExactly("a");
  }

  @Test
  void aWakeMayChangeTheRegistry() {
    registry.arm("a", ticket(1), () -> registry.remove(ticket(1).id()));
    registry.arm("a", ticket(2), () -> registry.arm("a", ticket(3), wake("3")));
    registry.wake("a");
    assertThat(registry.contains(ticket(1).id())).isFalse();
    assertThat(registry.contains(ticket(3).id())).isTrue();
  }

  @Test
  void threadsThatComeAndGoLeaveNothingBehind() throws Exception {
    AtomicInteger groups = new AtomicInteger();
    WaiterRegistry<String> shared = new WaiterRegistry<>(() -> 0, key -> groups.incrementAndGet());
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int first = t * 10_000;
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  return;
                }
                for (int i = 0; i < 10_000; i++) {
                  Ticket ticket = ticket(first + i);
                  shared.arm("same", ticket, () -> {});
                  shared.wake("same");
                  shared.remove(ticket.id());
                }
              });
      threads.add(thread);
      thread.start();
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(shared.isEmpty()).isTrue();
    assertThat(shared.hasWaiters("same")).isFalse();
    assertThat(groups.get()).isPositive();
  }
}
