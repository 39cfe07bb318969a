package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.wire.SignalListener;
import io.holdfast.redis.wire.Subscription;
import io.holdfast.redis.wire.Wire;
import io.holdfast.redis.wire.Wiring;
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

class BellsTest {

  private final AtomicLong nanoTime = new AtomicLong();
  private final Set<String> listened = ConcurrentHashMap.newKeySet();
  private boolean sharded;

  private Bells bells() {
    return new Bells(new Wired(), "me", nanoTime::get, new HeldTickets(nanoTime::get));
  }

  @Test
  @DisplayName("when two begin to wait at the same time, their channel is listened to")
  void twoAtOnce() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      listened.clear();
      Bells bells = bells();
      CyclicBarrier start = new CyclicBarrier(2);
      Thread[] lanes = new Thread[2];
      for (int lane = 0; lane < lanes.length; lane++) {
        Ticket ticket = ticket(lane);
        lanes[lane] =
            new Thread(
                () -> {
                  bells.hang(ticket, "channel", () -> {});
                  try {
                    start.await();
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                  bells.waits(ticket.id());
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
    Bells bells = bells();
    for (int i = 0; i < 20_000; i++) {
      Ticket ticket = ticket(i);
      String grant = Bell.GRANTS + bells.hang(ticket, "channel", () -> {}).text() + " 2048 0";
      AtomicBoolean go = new AtomicBoolean();
      Thread subscriber =
          new Thread(
              () -> {
                while (!go.get()) {
                  Thread.onSpinWait();
                }
                bells.message("channel", grant);
              });
      subscriber.start();
      go.set(true);
      bells.waits(ticket.id());
      subscriber.join();
      assertThat(bells.size()).isZero();
      assertThat(listened).as("round " + i).isEmpty();
    }
  }

  @Test
  @DisplayName("who asked before the channel was listened to and waits since then looks again")
  void armedBetweenAskingAndWaiting() {
    Bells bells = bells();
    AtomicInteger wakes = new AtomicInteger();
    bells.hang(ticket(1), "channel", () -> {});
    bells.waits(ticket(1).id());
    bells.hang(ticket(2), "channel", wakes::incrementAndGet);
    bells.armed("channel");
    assertThat(wakes).as("it has not been told to wait yet").hasValue(0);
    bells.waits(ticket(2).id());
    assertThat(wakes).as("what was published before was not heard").hasValue(1);

    bells.hang(ticket(3), "channel", wakes::incrementAndGet);
    bells.waits(ticket(3).id());
    assertThat(wakes).as("nothing was missed").hasValue(1);
  }

  @Test
  @DisplayName(
      "a message that lets in counts for the attempt that it names, and wakes any later one")
  void grants() {
    Bells bells = bells();
    List<String> heard = new ArrayList<>();
    Bell.Hung first = bells.hang(ticket(1), "channel", hearing("first", heard));
    bells.waits(ticket(1).id());
    Bell.Hung second = bells.hang(ticket(1), "channel", hearing("second", heard));
    bells.message("channel", Bell.GRANTS + first.text() + " 2048 1");
    bells.message("channel", Bell.GRANTS + second.text());
    bells.message("channel", Bell.GRANTS + second.text() + " 2048 1");
    assertThat(heard)
        .containsExactly("second woken", "second woken", "second in with 2048 for PT30S, wanted");
    assertThat(bells.size()).as("it waits no more").isZero();
    bells.message("channel", Bell.GRANTS + second.text() + " 2048 1");
    assertThat(heard).hasSize(3);
  }

  @Test
  @DisplayName("what somebody else publishes makes those who wait look again")
  void foreign() {
    Bells bells = bells();
    List<String> heard = new ArrayList<>();
    String text = bells.hang(ticket(1), "channel", hearing("one", heard)).text();
    bells.waits(ticket(1).id());
    for (String payload :
        List.of("", "hello", text + " 2048", text + " x 1", "1." + "9".repeat(30))) {
      bells.message("channel", payload);
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
    Bells bells = bells();
    bells.hang(ticket(1), "channel", () -> {});
    nanoTime.addAndGet(Duration.ofSeconds(20).toNanos());
    bells.hang(ticket(2), "channel", () -> {});
    assertThat(bells.size()).isEqualTo(2);
    nanoTime.addAndGet(Duration.ofSeconds(20).toNanos());
    assertThat(bells.size()).isEqualTo(1);
    nanoTime.addAndGet(Duration.ofSeconds(20).toNanos());
    assertThat(bells.size()).isZero();
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

  private final class Wired implements Wiring {
    @Override
    public Wire connect() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Subscription subscribe(SignalListener listener) {
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
    public List<Wire> masters() {
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
