package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * A connection that is closed under a prepared statement is a lost connection, in whatever words a
 * driver says so. MySQL's driver says it like a refusal, which ended the acquire.
 */
@Timeout(120)
@DisplayName("a connection that is closed under its statement")
class ClosedStatementIT {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final int TIMES = 6;

  @Test
  void on_postgresql() throws Exception {
    try (Server server = Server.Kind.POSTGRESQL.start()) {
      isNoRefusal(server.url());
    }
  }

  @Test
  void on_mariadb() throws Exception {
    try (Server server = Server.Kind.MARIADB.start()) {
      isNoRefusal(server.url());
    }
  }

  @Test
  @EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
  void on_mysql() throws Exception {
    try (MySqlServer server = MySqlServer.start()) {
      server.createDatabase("app");
      isNoRefusal(server.jdbcUri("app", server.user()));
    }
  }

  private static void isNoRefusal(String url) throws Exception {
    AtomicInteger closing = new AtomicInteger();
    try (LockEngine engine = open(url, closing)) {
      for (int i = 0; i < TIMES; i++) {
        Ticket ticket = Tickets.mutex("x" + i, LEASE);
        closing.set(1);
        for (boolean in = false; !in; ) {
          try {
            in = engine.attempt(ticket, () -> {}) instanceof Standing.Granted;
          } catch (EngineException e) {
            assertThat(e).isNotInstanceOf(EngineException.Refused.class);
          }
        }
        assertThat(closing).as("a statement met a closed connection").hasValue(0);
      }
    }
  }

  private static LockEngine open(String url, AtomicInteger closing) {
    return JdbcEngine.over(
        source(url, closing), JdbcOptions.of(url), Tickets.settings(Duration.ofSeconds(2)));
  }

  /** Connections that are closed right before a prepared statement runs, when that is asked for. */
  private static DataSource source(String url, AtomicInteger closing) {
    return proxy(
        DataSource.class,
        (method, arguments) -> connection(DriverManager.getConnection(url), closing));
  }

  private static Connection connection(Connection connection, AtomicInteger closing) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          Object result = method.invoke(connection, arguments);
          return result instanceof PreparedStatement statement
              ? statement(connection, statement, closing)
              : result;
        });
  }

  private static PreparedStatement statement(
      Connection connection, PreparedStatement statement, AtomicInteger closing) {
    return proxy(
        PreparedStatement.class,
        (method, arguments) -> {
          if (method.getName().startsWith("execute") && closing.compareAndSet(1, 0)) {
            statement.close();
            connection.close();
          }
          return method.invoke(statement, arguments);
        });
  }

  private interface Call {
    Object on(Method method, Object[] arguments) throws ReflectiveOperationException, SQLException;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            ClosedStatementIT.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return call.on(method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
