package io.holdfast.ids;

import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** The smallest pool: one connection, which is lent again and again; for one thread. */
final class SingleConnectionSource implements DataSource {

  private final String url;
  private Connection open;

  SingleConnectionSource(String url) {
    this.url = url;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (open == null) {
      open = DriverManager.getConnection(url);
    }
    return (Connection)
        Proxy.newProxyInstance(
            SingleConnectionSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, args) ->
                method.getName().equals("close") ? null : method.invoke(open, args));
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() {
    throw new UnsupportedOperationException("nothing is logged");
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("test");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("nothing inside");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
