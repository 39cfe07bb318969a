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
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

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
  private final AtomicReference<@Nullable String> swapAt = new AtomicReference<>();

  Swapped(String url) {
    this.url = url;
  }

  /** From now on others answer. */
  void swap() {
    turn.incrementAndGet();
  }

  /** Others answer from the moment on at which a statement with these words is prepared; once. */
  void swapAt(String words) {
    swapAt.set(words);
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
                String sql = (String) arguments[0];
                String words = swapAt.get();
                if (words != null && sql.contains(words) && swapAt.compareAndSet(words, null)) {
                  swap();
                }
                return statement(now, sql);
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

  /** Ends the sessions that were opened so far; those that answer from now on are new. */
  void endOthers() throws SQLException {
    for (Connection session = sessions.poll(); session != null; session = sessions.poll()) {
      session.close();
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection session : sessions) {
      session.close();
    }
  }
}
