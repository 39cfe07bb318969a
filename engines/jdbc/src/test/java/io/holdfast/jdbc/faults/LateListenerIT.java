package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Changes on PostgreSQL that nobody was told of, as the holder did not listen yet, or not any more.
 * With the usual lease the next renewal comes ten seconds after the grant.
 */
@Timeout(120)
class LateListenerIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration BEFORE_RENEWAL = Duration.ofSeconds(5);

  private static final String LISTENS = "query like 'listen %held%' and state = 'idle'";

  private volatile CountDownLatch gate = new CountDownLatch(0);

  /** Who takes something away from a holder. */
  private interface Taking {
    void from(Hold hold) throws Exception;
  }

  @Test
  @DisplayName("a revocation before the first listening is heard when it begins")
  void revoked() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Holdfast operator = Holdfast.connect(uri(server))) {
      EngineInspector inspector = operator.inspector().orElseThrow();
      beforeListening(server, "revoke", h -> inspector.revoke(at(h), h.token(), "r"));
      beforeListening(server, "evict", h -> inspector.evict(at(h), h.token(), "e"));
      beforeListening(
          server, "delete", h -> server.sql("delete from holdfast_lock where name = 'x'"));
    }
  }

  private void beforeListening(PostgresServer server, String how, Taking taking) throws Exception {
    gate = new CountDownLatch(1);
    try (Holdfast holder = holder(server)) {
      Hold hold = holder.lock("x").acquire(WAIT);
      taking.from(hold);
      assertThat(hold.loss()).isEmpty();
      heardWhenListening(how + " before the first listening", hold);
    } finally {
      gate.countDown();
    }
  }

  @Test
  @DisplayName("an eviction while the listener has no connection is heard when it has one again")
  void evictedMeanwhile() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Holdfast operator = Holdfast.connect(uri(server));
        Holdfast holder = holder(server)) {
      Hold hold = holder.lock("x").acquire(WAIT);
      Await.until("a listener", WAIT, () -> listeners(server) == 1);
      gate = new CountDownLatch(1);
      server.sql("select pg_terminate_backend(pid) from pg_stat_activity where " + LISTENS);
      Await.until(
          "the loss of the listener",
          WAIT,
          () -> holder.health().counters().get("signals.lost") > 0);
      operator.inspector().orElseThrow().evict(at(hold), hold.token(), "e");
      assertThat(hold.loss()).isEmpty();
      heardWhenListening("evict while the listener was gone", hold);
    } finally {
      gate.countDown();
    }
  }

  private void heardWhenListening(String how, Hold hold) {
    long start = System.nanoTime();
    gate.countDown();
    Await.until("the loss by " + how, BEFORE_RENEWAL, () -> hold.loss().isPresent());
    Figure.since(start, BEFORE_RENEWAL, "PostgreSQL, " + how + ": the holder hears (lease 30 s)");
  }

  private static int listeners(PostgresServer server) {
    return Integer.parseInt(
        server.sql("select count(*) from pg_stat_activity where " + LISTENS).strip());
  }

  /** A client whose listener connects only while the gate is open. */
  private Holdfast holder(PostgresServer server) {
    DataSource real = new Plain(uri(server));
    DataSource gated =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  if (Thread.currentThread().getName().equals("holdfast-jdbc-listener")) {
                    awaitGate();
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return Holdfast.open(
        JdbcEngine.over(
            gated, JdbcOptions.of(uri(server)), Tickets.settings(Duration.ofSeconds(2))),
        HoldfastOptions.DEFAULTS);
  }

  private void awaitGate() throws SQLException {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new SQLException(e);
    }
  }

  private static Resource at(Hold hold) {
    return new Resource(hold.namespace(), hold.name());
  }

  private static String uri(PostgresServer server) {
    return server.jdbcUri(PostgresServer.DATABASE, server.user());
  }
}
