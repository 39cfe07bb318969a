package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.Db;
import io.holdfast.rig.servers.MySqlServer;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** In REPEATABLE READ, which is what MySQL has by itself. */
@Timeout(120)
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
class MySqlTransactionLockIT implements TransactionLockRules {

  private static MySqlServer server;

  @BeforeAll
  static void start() {
    server = MySqlServer.start();
    server.createDatabase("app");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public DataSource source() {
    return Db.mySql(server.jdbcUri("app", server.user()));
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
    return "MySQL";
  }
}
