package io.holdfast.jdbc.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** A source of connections that keeps which calls were trips to the database. */
final class Counted {

  private static final Set<String> TRIPS =
      Set.of(
          "execute",
          "executeQuery",
          "executeUpdate",
          "executeBatch",
          "commit",
          "rollback",
          "setAutoCommit",
          "setTransactionIsolation");

  /** What is answered by calls of these names, and is to be watched as well. */
  private static final Map<String, Class<?>> WATCHED =
      Map.of(
          "getConnection", Connection.class,
          "prepareStatement", PreparedStatement.class,
          "createStatement", Statement.class);

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final DataSource source;

  Counted(DataSource real) {
    this.source = watch(DataSource.class, real);
  }

  DataSource source() {
    return source;
  }

  /** All trips so far. */
  List<String> calls() {
    return calls;
  }

  private <T> T watch(Class<T> type, Object real) {
    return type.cast(
        Proxy.newProxyInstance(
            Counted.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (TRIPS.contains(method.getName())) {
                calls.add(method.getName());
              }
              try {
                Object answer = method.invoke(real, arguments);
                Class<?> watched = WATCHED.get(method.getName());
                return watched == null ? answer : watch(watched, answer);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
