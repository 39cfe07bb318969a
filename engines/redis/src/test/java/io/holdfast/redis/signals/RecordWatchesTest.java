package io.holdfast.redis.signals;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.connection.LaneConnection;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ServerTopology;
import io.holdfast.redis.connection.SignalListener;
import io.holdfast.redis.connection.Subscription;
import io.holdfast.redis.layout.Keys;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordWatchesTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration CHURN = Duration.ofSeconds(2);
  private static final Resource LINE = new Resource("default", "s");
  private static final int HOLDS = 1_000;

  private final AtomicLong checks = new AtomicLong();
  private final Set<String> watched = ConcurrentHashMap.newKeySet();

  @Test
  @DisplayName("a busy line with many holds of this client is checked a few times in a turn")
  void busyLine() {
    try (RecordWatches watches = new RecordWatches(new Wired(), System::nanoTime, line -> {})) {
      for (int i = 0; i < HOLDS; i++) {
        watches.begins(new HeldTickets.HeldTicket(permit(i), System.nanoTime(), 0));
      }
      Await.until("all are watched", LONG, () -> watched.size() == HOLDS);
      byte[] path = Keys.path(LINE);
      byte[] key = Keys.key(Keys.bucket(path), 'h', path);
      List<String> keys = List.of(new String(key, StandardCharsets.UTF_8));
      checks.set(0);
      long start = System.nanoTime();
      Await.until(
          "others come and go",
          LONG,
          () -> {
            watches.changed(keys);
            return System.nanoTime() - start > CHURN.toNanos();
          });
      // A turn is 50 ms, so there are 40 of them.
      assertThat(checks.get()).isBetween(10L, 400L);
    }
  }

  private static Ticket permit(int number) {
    return new Ticket(
        new Ticket.Id(1, 2, number),
        LINE,
        Shape.semaphore(HOLDS + 4),
        1,
        LONG,
        0,
        true,
        new Owner("app", "host", 1, "thread", ""));
  }

  /** A server that counts checks and sends nothing. */
  private final class Wired implements ServerTopology {

    @Override
    public Optional<Subscription> watch(Script look, SignalListener listener) {
      return Optional.of(
          new Subscription() {
            @Override
            public void add(String watch) {
              watched.add(watch);
              checks.incrementAndGet();
            }

            @Override
            public void remove(String watch) {}

            @Override
            public void close() {}
          });
    }

    @Override
    public LaneConnection connect() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Subscription subscribe(SignalListener listener) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<LaneConnection> masters() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isCluster() {
      return false;
    }

    @Override
    public String address() {
      return "here";
    }

    @Override
    public void close() {}
  }
}
