package io.holdfast.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.dialect.H2;
import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Links to a database on which everybody who connects hangs")
@Timeout(60)
class ConnectionOpenerTest {

  private static final int CALLERS = 2 * ConnectionOpener.MOST_CONNECTING;
  private static final int ROUNDS = 12;

  @Test
  @DisplayName("use no more than so many threads, and are there when it goes on")
  void bounded() throws Exception {
    Hanging hanging = new Hanging();
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try (ConnectionOpener links =
        new ConnectionOpener(hanging, new H2(), "here", Duration.ofMillis(40))) {
      long start = System.nanoTime();
      for (int i = 0; i < ROUNDS; i++) {
        for (Future<Boolean> each : open(callers, links)) {
          assertThat(each.get(20, TimeUnit.SECONDS)).as("has a link").isFalse();
        }
      }
      assertThat(hanging.now.get()).isBetween(ConnectionOpener.MOST_CONNECTING, most(start));

      hanging.end.countDown();
      boolean open = false;
      while (!open) {
        open = isOpened(links);
      }
      assertThat(hanging.most.get()).isBetween(ConnectionOpener.MOST_CONNECTING, most(start));
    } finally {
      hanging.end.countDown();
      callers.shutdownNow();
    }
  }

  /** One more for each time that all of them hung for long, as late as the test may look. */
  private static int most(long start) {
    long stuck = ConnectionOpener.STUCK * Duration.ofMillis(10).toNanos();
    return ConnectionOpener.MOST_CONNECTING + 1 + (int) ((System.nanoTime() - start) / stuck);
  }

  @Test
  @DisplayName("are opened again although earlier attempts hang for ever")
  void backWhileOthersHang() throws Exception {
    Hanging hanging = new Hanging();
    try (ConnectionOpener links =
        new ConnectionOpener(hanging, new H2(), "here", Duration.ofMillis(40))) {
      while (hanging.now.get() < ConnectionOpener.MOST_CONNECTING) {
        assertThat(isOpened(links)).isFalse();
      }
      hanging.back.set(true);
      boolean open = false;
      while (!open) {
        open = isOpened(links);
      }
      assertThat(hanging.now.get())
          .as("still hang")
          .isGreaterThanOrEqualTo(ConnectionOpener.MOST_CONNECTING);
    } finally {
      hanging.end.countDown();
    }
  }

  @Test
  @DisplayName("are tried by few more threads in a month in which every attempt hangs")
  void month() {
    long patience = Duration.ofMillis(1_500).toNanos();
    long step = Duration.ofSeconds(2).toNanos();
    List<Long> pending = new ArrayList<>();
    int afterADay = 0;
    for (long now = 0; now < Duration.ofDays(30).toNanos(); now += step) {
      // Forty callers keep trying.
      while (ConnectionOpener.mayStart(pending, now, 40, patience)) {
        pending.add(now);
      }
      afterADay = now < Duration.ofDays(1).toNanos() ? pending.size() : afterADay;
    }
    assertThat(afterADay).isBetween(ConnectionOpener.MOST_CONNECTING + 1, 30);
    assertThat(pending).hasSizeLessThan(36);
    // However long it lasted, there is another one after as much time again.
    assertThat(ConnectionOpener.mayStart(pending, Duration.ofDays(61).toNanos(), 1, patience))
        .isTrue();
  }

  private static List<Future<Boolean>> open(ExecutorService callers, ConnectionOpener links) {
    List<Future<Boolean>> tries = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      tries.add(callers.submit(() -> isOpened(links)));
    }
    return tries;
  }

  private static boolean isOpened(ConnectionOpener links) throws Exception {
    try (JdbcConnection connection = links.open()) {
      return !connection.isBroken();
    } catch (SQLTransientConnectionException e) {
      return false;
    }
  }

  /** Connects when it is allowed to, and counts who tries. */
  private static final class Hanging implements Connector {

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicBoolean back = new AtomicBoolean();
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @Override
    public Connection connect() throws SQLException, EngineException.Refused {
      most.accumulateAndGet(now.incrementAndGet(), Math::max);
      try {
        if (!back.get()) {
          end.await();
        }
        return DriverManager.getConnection("jdbc:h2:mem:links");
      } catch (InterruptedException e) {
        throw new SQLException(e);
      } finally {
        now.decrementAndGet();
      }
    }

    @Override
    public boolean isCallerSupplied() {
      return false;
    }
  }
}
