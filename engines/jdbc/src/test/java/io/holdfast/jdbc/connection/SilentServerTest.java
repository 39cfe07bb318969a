package io.holdfast.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A server that accepts connections and says nothing")
class SilentServerTest {

  private static final String DRIVER_THREAD = "PostgreSQL JDBC driver connection thread";

  @ParameterizedTest
  @ValueSource(strings = {"mysql", "mariadb", "postgresql"})
  @DisplayName("is given up after ten seconds, and no thread goes on waiting for it")
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void givenUp(String kind) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String url = "jdbc:" + kind + "://127.0.0.1:" + silent.getLocalPort() + "/x";
      DriverConnector connector =
          new DriverConnector(
              url, url, dialect(kind), Map.of("user", "u", "password", "p"), Duration.ofSeconds(2));
      assertThatThrownBy(connector::connect).isInstanceOf(SQLException.class);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (driverThreads() > 0 && System.nanoTime() < end) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
      assertThat(driverThreads()).isZero();
    }
  }

  private static Dialect dialect(String kind) {
    return switch (kind) {
      case "mysql" -> MySqlFamily.mySql();
      case "mariadb" -> MySqlFamily.mariaDb();
      default -> new PostgreSql();
    };
  }

  private static long driverThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(DRIVER_THREAD))
        .count();
  }
}
