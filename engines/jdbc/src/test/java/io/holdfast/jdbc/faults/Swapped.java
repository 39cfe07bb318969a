package io.holdfast.jdbc.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A source whose connections go on in another session of the server when they are told to, as those
 * do behind a pooler, or of a driver that looks for another server by itself. The sessions of
 * before live on.
 */
final class Swapped implements AutoCloseable {

  /** What a call is made on. */
  private interface Target {
    Object get() throws SQLException;
  }

  private final String url;
  private final Queue<Connection> sessions = new ConcurrentLinkedQueue<>();
  private final AtomicInteger turn = new AtomicInteger();

  Swapped(String url) {
    this.url = url;
  }

  /** From now on others answer. */
  void swap() {
    turn.incrementAndGet();
  }

  DataSource source() {
    return (DataSource)
        Proxy.newProxyInstance(
            Swapped.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> connection());
  }

  private Connection session() throws SQLException {
    Connection session = DriverManager.getConnection(url);
    sessions.add(session);
    return session;
  }

  private Connection connection() throws SQLException {
    Map<Integer, Connection> byTurn = new HashMap<>();
    Target now =
        () -> {
          Connection known = byTurn.get(turn.get());
          if (known == null) {
            known = session();
            byTurn.put(turn.get(), known);
          }
          return known;
        };
    return watch(Connection.class, now);
  }

  private <T> T watch(Class<T> type, Target now) {
    return type.cast(
        Proxy.newProxyInstance(
            Swapped.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                return statement(now, (String) arguments[0]);
              }
              try {
                return method.invoke(now.get(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Prepared in each session in which it is used. */
  private PreparedStatement statement(Target connection, String sql) {
    Map<Object, PreparedStatement> bySession = new HashMap<>();
    return watch(
        PreparedStatement.class,
        () -> {
          Connection session = (Connection) connection.get();
          PreparedStatement known = bySession.get(session);
          if (known == null) {
            known = session.prepareStatement(sql);
            bySession.put(session, known);
          }
          return known;
        });
  }

  @Override
  public void close() throws SQLException {
    for (Connection session : sessions) {
      session.close();
    }
  }
}
