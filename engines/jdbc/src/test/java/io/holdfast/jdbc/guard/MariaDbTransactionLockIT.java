package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.Db;
import io.holdfast.rig.servers.MariaDbServer;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** In REPEATABLE READ, which is what MariaDB has by itself. */
@Timeout(120)
class MariaDbTransactionLockIT implements TransactionLockRules {

  private static MariaDbServer server;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    server.createDatabase("app");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public DataSource source() {
    return Db.mariaDb(server.jdbcUri("app", server.user()));
  }

  @Override
  public String uri() {
    return server.jdbcUri("app", server.user()) + "&";
  }

  @Override
  public List<String> modes() {
    return List.of("table", "session", "row");
  }

  @Override
  public String toString() {
    return "MariaDB";
  }
}
