package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.LockEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client whose locks live on connections, and that closes while an attempt is connecting. */
@Timeout(120)
class ClosedWhileConnectingIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final String ATTEMPT = "attempt";
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final CountDownLatch connecting = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);

  @Test
  @DisplayName("leaves no lock of a session behind when close waits for the lane")
  void closeWaits() throws Exception {
    leavesNoLock("session", 1, Duration.ofSeconds(40), /* givesUp= */ false);
  }

  @Test
  @DisplayName("leaves no lock of a session behind when close does not wait any longer")
  void closeGivesUp() throws Exception {
    leavesNoLock("session", 1, Duration.ofSeconds(2), /* givesUp= */ true);
  }

  @Test
  @DisplayName("leaves no locked row behind")
  void row() throws Exception {
    leavesNoLock("row", 2, Duration.ofSeconds(2), /* givesUp= */ true);
  }

  /**
   * Closes during an attempt.
   *
   * @param connection which of the client's connections is not used before that
   */
  private void leavesNoLock(String mode, int connection, Duration timeout, boolean givesUp)
      throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      String uri = server.jdbcUri(PostgresServer.DATABASE, server.user());
      LockEngine engine =
          JdbcEngine.over(
              gated(new Plain(uri), connection),
              JdbcOptions.of(uri + "&holdfast.mode=" + mode),
              Tickets.settings(timeout));
      LockEngine lane = engine.lane();
      Thread attempt = started(ATTEMPT, () -> lane.attempt(Tickets.mutex("x", LEASE), () -> {}));
      assertThat(connecting.await(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      Thread closer = started("close", engine::close);
      if (givesUp) {
        closer.join();
      } else {
        Await.until("close waits", WAIT, () -> closer.getState() == Thread.State.TIMED_WAITING);
      }
      gate.countDown();
      attempt.join();
      closer.join();
      Await.until("no lock of a closed client", WAIT, () -> locks(server).equals("0"));
    } finally {
      gate.countDown();
    }
  }

  private static String locks(PostgresServer server) {
    String locked = "select count(*) from pg_locks where locktype = 'advisory'";
    String open = "select count(*) from pg_stat_activity where state = 'idle in transaction'";
    return server.sql("select (" + locked + ") + (" + open + ")").strip();
  }

  private static Thread started(String name, Action action) {
    Thread thread =
        new Thread(
            () -> {
              try {
                action.run();
              } catch (Exception e) {
                // A closed client may refuse.
                return;
              }
            },
            name);
    thread.start();
    return thread;
  }

  private interface Action {
    void run() throws Exception;
  }

  /** A source of which the attempt uses one connection only when the gate is open. */
  private DataSource gated(DataSource real, int which) {
    AtomicInteger opened = new AtomicInteger();
    return proxy(
        DataSource.class,
        real,
        result -> {
          boolean gated = result instanceof Connection && opened.incrementAndGet() == which;
          return gated ? proxy(Connection.class, result, each -> each) : result;
        });
  }

  private <T> T proxy(Class<T> type, Object real, UnaryOperator<Object> wrap) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (type == Connection.class && Thread.currentThread().getName().equals(ATTEMPT)) {
                connecting.countDown();
                gate.await();
              }
              try {
                return wrap.apply(method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
