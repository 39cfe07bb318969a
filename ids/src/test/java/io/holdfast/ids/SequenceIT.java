package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.PostgresServer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Sequences of real databases, shared by odd and even numbers. */
@Timeout(120)
class SequenceIT {

  @TempDir Path folder;

  /** A data source without a pool; its database can be taken away. */
  private static final class Source implements DataSource {
    private final String url;
    volatile boolean away;

    Source(String url) {
      this.url = url;
    }

    @Override
    public Connection getConnection() throws SQLException {
      if (away) {
        throw new SQLException("the database is away", "08001");
      }
      return DriverManager.getConnection(url);
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

  private static void check(String url) {
    Source source = new Source(url);
    LongIds odd = Ids.sequence(source, "odd_ids", 1, 2);
    LongIds even = Ids.sequence(source, "even_ids", 2, 2);
    assertThat(List.of(odd.next(), odd.next(), odd.next())).containsExactly(1L, 3L, 5L);
    assertThat(List.of(even.next(), even.next())).containsExactly(2L, 4L);
    assertThat(Ids.sequence(source, "odd_ids", 1, 2).next()).as("it goes on").isEqualTo(7);
    LongIds wrong = Ids.sequence(source, "even_ids", 1, 2);
    assertThatThrownBy(wrong::next).hasMessageContaining("created with another start or step");
    assertThat(wrong.supply().status()).isEqualTo(Supply.Status.DOWN);
    assertThat(odd.supply().status()).isEqualTo(Supply.Status.UP);
    assertThatThrownBy(() -> odd.block(3)).isInstanceOf(UnsupportedOperationException.class);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      assertThat(seen.add(odd.next())).isTrue();
      assertThat(seen.add(even.next())).isTrue();
    }
  }

  /** Many that use sequences for the first time, at once: all get a number. */
  private static void checkFirst(String url) throws Exception {
    for (int round = 0; round < 5; round++) {
      String name = "first_ids_" + round;
      Set<Long> seen = ConcurrentHashMap.newKeySet();
      List<CompletableFuture<Void>> users = new ArrayList<>();
      CountDownLatch start = new CountDownLatch(1);
      for (int i = 0; i < 8; i++) {
        LongIds ids = Ids.sequence(new Source(url), name, 1, 1);
        users.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    start.await();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  seen.add(ids.next());
                },
                body -> new Thread(body, "first user").start()));
      }
      start.countDown();
      for (CompletableFuture<Void> user : users) {
        user.get(60, TimeUnit.SECONDS);
      }
      assertThat(seen).hasSize(8);
    }
  }

  @Test
  void postgresql() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      String url = server.jdbcUri(PostgresServer.DATABASE, server.user());
      check(url);
      checkFirst(url);
    }
  }

  @Test
  void mariadb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("ids");
      check(server.jdbcUri("ids"));
      checkFirst(server.jdbcUri("ids"));
    }
  }

  @Test
  @EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
  void mysql() throws Exception {
    try (MySqlServer server = MySqlServer.start()) {
      server.createDatabase("ids");
      check(server.jdbcUri("ids", server.user()));
      checkFirst(server.jdbcUri("ids", server.user()));
    }
  }

  @Test
  void by_either_driver_mariadb_counts_one_sequence() {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("ids");
      String uri = server.jdbcUri("ids", server.user());
      LongIds one = Ids.sequence(new Source(uri), "ids", 1, 1);
      LongIds other =
          Ids.sequence(new Source(uri.replace("jdbc:mariadb:", "jdbc:mysql:")), "ids", 1, 1);
      assertThat(List.of(one.next(), other.next(), one.next())).containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  void the_right_to_use_a_sequence_that_is_there_is_enough() {
    try (PostgresServer server = PostgresServer.start()) {
      server.createUser("poor", "s3cret");
      server.sql("revoke create on schema public from public");
      server.sql("create sequence ids start with 1 increment by 2");
      server.sql("grant usage on sequence ids to poor");
      Source poor =
          new Source(server.jdbcUri(PostgresServer.DATABASE, "poor") + "&password=s3cret");
      LongIds ids = Ids.sequence(poor, "ids", 1, 2);
      assertThat(List.of(ids.next(), ids.next())).containsExactly(1L, 3L);
      assertThatThrownBy(() -> Ids.sequence(poor, "others", 1, 1).next())
          .isInstanceOf(IdsUnavailableException.class)
          .hasMessageContaining("permission denied for schema");
    }
  }

  @Test
  void h2() throws Exception {
    try (Connection open = DriverManager.getConnection("jdbc:h2:mem:ids")) {
      assertThat(open.isClosed()).isFalse();
      check("jdbc:h2:mem:ids");
    }
  }

  @Test
  void sqlite() {
    check("jdbc:sqlite:" + folder.resolve("ids.db"));
  }

  @Test
  void two_databases_share_the_numbers_and_one_goes_on_alone() {
    Source one = new Source("jdbc:sqlite:" + folder.resolve("one.db"));
    Source two = new Source("jdbc:sqlite:" + folder.resolve("two.db"));
    LongIds ids =
        Ids.spread(List.of(Ids.sequence(one, "ids", 1, 2), Ids.sequence(two, "ids", 2, 2)));
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      assertThat(seen.add(ids.next())).isTrue();
    }
    two.away = true;
    for (int i = 0; i < 100; i++) {
      long id = ids.next();
      assertThat(id % 2).isOne();
      assertThat(seen.add(id)).isTrue();
    }
    one.away = true;
    assertThatThrownBy(ids::next)
        .isInstanceOf(IdsUnavailableException.class)
        .hasMessageContaining("none of the 2");
    two.away = false;
    assertThat(seen.add(ids.next())).isTrue();
  }
}
