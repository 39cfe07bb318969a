package io.holdfast.redis.signals;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.connection.LaneConnection;
import io.holdfast.redis.connection.ServerTopology;
import io.holdfast.redis.connection.SignalListener;
import io.holdfast.redis.connection.Subscription;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WaiterSignalsTest {

  private final AtomicLong nanoTime = new AtomicLong();
  private final Set<String> listened = ConcurrentHashMap.newKeySet();
  private boolean sharded;
  private boolean threadsToBeHad = true;

  private WaiterSignals signals() {
    WaiterSignals made =
        new WaiterSignals(new Topology(), "me", nanoTime::get, new HeldTickets(nanoTime::get));
    made.reportChanges();
    return made;
  }

  @Test
  @DisplayName("without a thread to listen the grant stands, and the next one tries again")
  void noThread() {
    WaiterSignals signals = signals();
    threadsToBeHad = false;
    signals.listenForChanges();
    assertThat(listened).isEmpty();

    threadsToBeHad = true;
    signals.listenForChanges();
    assertThat(listened).containsExactly(WaiterSignals.CHANGES);
  }

  @Test
  @DisplayName("when the channel of changes is there (again), every hold is reported, however many")
  void allHoldsAfterAGap() {
    HeldTickets held = new HeldTickets(nanoTime::get);
    Set<Resource> reported = ConcurrentHashMap.newKeySet();
    held.reportTo(reported::add);
    WaiterSignals signals = new WaiterSignals(new Topology(), "me", nanoTime::get, held);
    signals.reportChanges();
    for (int i = 0; i < 3_000; i++) {
      held.add(ticket(i));
    }
    signals.listenForChanges();
    assertThat(reported).isEmpty();
    signals.armed(WaiterSignals.CHANGES);
    assertThat(reported).hasSize(3_000);

    reported.clear();
    signals.lost(WaiterSignals.CHANGES);
    signals.armed(WaiterSignals.CHANGES);
    assertThat(reported).hasSize(3_000);
  }

  @Test
  @DisplayName("when two begin to wait at the same time, their channel is listened to")
  void twoAtOnce() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      listened.clear();
      WaiterSignals signals = signals();
      CyclicBarrier start = new CyclicBarrier(2);
      Thread[] lanes = new Thread[2];
      for (int lane = 0; lane < lanes.length; lane++) {
        Ticket ticket = ticket(lane);
        lanes[lane] =
            new Thread(
                () -> {
                  signals.arm(ticket, "channel", () -> {});
                  try {
                    start.await();
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                  signals.listen(ticket.id());
                });
        lanes[lane].start();
      }
      for (Thread lane : lanes) {
        lane.join();
      }
      assertThat(listened).as("round " + i).containsExactly("channel");
    }
  }

  @Test
  @DisplayName("one that is let in while it begins to wait leaves no channel behind")
  void letInMeanwhile() throws Exception {
    sharded = true;
    WaiterSignals signals = signals();
    for (int i = 0; i < 20_000; i++) {
      Ticket ticket = ticket(i);
      String grant = WakeMessage.MAY_GRANT + signals.arm(ticket, "channel", () -> {}) + " 2048 0";
      AtomicBoolean go = new AtomicBoolean();
      Thread subscriber =
          new Thread(
              () -> {
                while (!go.get()) {
                  Thread.onSpinWait();
                }
                signals.message("channel", grant);
              });
      subscriber.start();
      go.set(true);
      signals.listen(ticket.id());
      subscriber.join();
      assertThat(signals.size()).isZero();
      assertThat(listened).as("round " + i).isEmpty();
    }
  }

  @Test
  @DisplayName("the channel of a bucket ends with its last waiter, and begins again with the next")
  void bucketChannelsComeAndGo() {
    sharded = true;
    WaiterSignals signals = signals();
    signals.arm(ticket(1), "channel", () -> {});
    assertThat(listened).as("a free lock costs no subscription").isEmpty();
    signals.listen(ticket(1).id());
    signals.arm(ticket(2), "channel", () -> {});
    signals.remove(ticket(1).id());
    assertThat(listened).containsExactly("channel");
    signals.remove(ticket(2).id());
    assertThat(listened).isEmpty();
    signals.listen(ticket(2).id());
    assertThat(listened).as("it no longer waits").isEmpty();
    signals.arm(ticket(3), "channel", () -> {});
    signals.listen(ticket(3).id());
    assertThat(listened).containsExactly("channel");
    signals.close();
    signals.remove(ticket(3).id());
  }

  @Test
  @DisplayName(
      "waiters that come and go on one bucket are listened to, and leave no channel behind")
  void bucketRace() throws Exception {
    sharded = true;
    WaiterSignals signals = signals();
    AtomicInteger missed = new AtomicInteger();
    Thread[] lanes = new Thread[4];
    for (int lane = 0; lane < lanes.length; lane++) {
      int first = lane * 20_000;
      lanes[lane] =
          new Thread(
              () -> {
                for (int i = first; i < first + 20_000; i++) {
                  signals.arm(ticket(i), "channel", () -> {});
                  signals.listen(ticket(i).id());
                  if (!isListenedTo()) {
                    missed.incrementAndGet();
                  }
                  signals.remove(ticket(i).id());
                }
              });
      lanes[lane].start();
    }
    for (Thread lane : lanes) {
      lane.join();
    }
    assertThat(missed).hasValue(0);
    assertThat(listened).isEmpty();
  }

  /** For a moment a channel may be taken out and put back. */
  private boolean isListenedTo() {
    long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    while (!listened.contains("channel")) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  @Test
  @DisplayName("who asked before the channel was listened to and waits since then looks again")
  void armedBetweenAskingAndWaiting() {
    WaiterSignals signals = signals();
    AtomicInteger wakes = new AtomicInteger();
    signals.arm(ticket(1), "channel", () -> {});
    signals.listen(ticket(1).id());
    signals.arm(ticket(2), "channel", wakes::incrementAndGet);
    signals.armed("channel");
    assertThat(wakes).as("what was published before was not heard").hasValue(1);
    signals.listen(ticket(2).id());

    signals.arm(ticket(3), "channel", wakes::incrementAndGet);
    signals.listen(ticket(3).id());
    assertThat(wakes).as("nothing was missed").hasValue(1);
  }

  @Test
  @DisplayName(
      "a message that lets in counts for the attempt that it names, and wakes any later one")
  void grants() {
    WaiterSignals signals = signals();
    List<String> heard = new ArrayList<>();
    String first = signals.arm(ticket(1), "channel", hearing("first", heard));
    signals.listen(ticket(1).id());
    String second = signals.arm(ticket(1), "channel", hearing("second", heard));
    signals.message("channel", WakeMessage.MAY_GRANT + first + " 2048 1");
    signals.message("channel", WakeMessage.MAY_GRANT + second);
    signals.message("channel", WakeMessage.MAY_GRANT + second + " 2048 1");
    assertThat(heard)
        .containsExactly("second woken", "second woken", "second in with 2048 for PT30S, wanted");
    assertThat(signals.size()).as("it waits no more").isZero();
    signals.message("channel", WakeMessage.MAY_GRANT + second + " 2048 1");
    assertThat(heard).hasSize(3);
  }

  @Test
  @DisplayName("what somebody else publishes makes those who wait look again")
  void foreign() {
    WaiterSignals signals = signals();
    List<String> heard = new ArrayList<>();
    String text = signals.arm(ticket(1), "channel", hearing("one", heard));
    signals.listen(ticket(1).id());
    for (String payload :
        List.of("", "hello", text + " 2048", text + " x 1", "1." + "9".repeat(30))) {
      signals.message("channel", payload);
    }
    assertThat(heard).hasSize(5).containsOnly("one woken");
  }

  private static Wake hearing(String who, List<String> heard) {
    return new Wake() {
      @Override
      public void wake() {
        heard.add(who + " woken");
      }

      @Override
      public void granted(Standing.Granted granted) {
        String wanted = granted.wanted() ? ", wanted" : "";
        heard.add(who + " in with " + granted.token() + " for " + granted.validFor() + wanted);
      }
    };
  }

  @Test
  @DisplayName("a bell that no attempt hung again within its lease is taken down")
  void forgotten() {
    WaiterSignals signals = signals();
    signals.arm(ticket(1), "channel", () -> {});
    nanoTime.addAndGet(Duration.ofSeconds(20).toNanos());
    signals.arm(ticket(2), "channel", () -> {});
    assertThat(signals.size()).isEqualTo(2);
    nanoTime.addAndGet(Duration.ofSeconds(20).toNanos());
    assertThat(signals.size()).isEqualTo(1);
    nanoTime.addAndGet(Duration.ofSeconds(20).toNanos());
    assertThat(signals.size()).isZero();
  }

  private static Ticket ticket(int number) {
    return new Ticket(
        new Ticket.Id(1, 1, number),
        new Resource("default", "x" + number),
        Shape.mutex(Order.ANY),
        1,
        Duration.ofSeconds(30),
        0,
        true,
        new Owner("", "host", 1, "thread", ""));
  }

  private final class Topology implements ServerTopology {
    @Override
    public LaneConnection connect() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Subscription subscribe(SignalListener listener) {
      if (!threadsToBeHad) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return new Subscription() {
        @Override
        public void add(String channel) {
          listened.add(channel);
        }

        @Override
        public void remove(String channel) {
          listened.remove(channel);
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public List<LaneConnection> masters() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isCluster() {
      return sharded;
    }

    @Override
    public String address() {
      return "redis://test";
    }

    @Override
    public void close() {}
  }
}
