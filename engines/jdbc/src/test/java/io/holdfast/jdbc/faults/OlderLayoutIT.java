package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.Outcome;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that an older or a newer version has left behind. */
@Timeout(120)
class OlderLayoutIT {

  private static final int CLIENTS = 8;
  private static final Duration WAIT = Duration.ofSeconds(20);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("older tables are brought up to date by many at once, and what is held stays held")
  void migrated(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      migrated(server.url(), server.url() + "&");
    }
  }

  @Test
  @DisplayName("the same on H2")
  void migratedOnH2() throws Exception {
    String url = "jdbc:h2:mem:older;DB_CLOSE_DELAY=-1";
    migrated(url, url + "?");
  }

  @Test
  @DisplayName("the same on SQLite")
  void migratedOnSqlite() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("older.db");
    migrated(url, url + "?");
  }

  private static void migrated(String url, String uri) throws Exception {
    try (Holdfast holder = Holdfast.connect(uri + "holdfast.lease=60s")) {
      Hold mutex = holder.lock("mutex").acquire(WAIT);
      Hold line = fifo(holder).lock("line").acquire(WAIT);
      age(url);
      refusedIfItMayNot(uri);
      List<Long> tokens = together(url, uri + "holdfast.lanes=1");
      assertThat(tokens).doesNotHaveDuplicates();
      assertThat(number(url, "select layout from holdfast_meta where ns = ''")).isEqualTo(1);
      assertThat(number(url, "select min(touched_us) from holdfast_lock")).isGreaterThan(0);
      mutex.ensureHeld();
      assertThat(mutex.release()).isEqualTo(Outcome.RELEASED);
      assertThat(line.release()).isEqualTo(Outcome.RELEASED);
      try (Holdfast next = Holdfast.connect(uri + "holdfast.create=false")) {
        assertThat(next.lock("mutex").acquire(WAIT).token()).isGreaterThan(mutex.token());
        assertThat(fifo(next).lock("line").acquire(WAIT).token()).isGreaterThan(line.token());
      }
    }
    newerIsRefused(url, uri);
  }

  private static Holdfast fifo(Holdfast client) {
    return client.with(options -> options.withOrder(Order.FIFO));
  }

  /** As it was before there was a version: without that, and without the newest column. */
  private static void age(String url) throws SQLException {
    run(url, "alter table holdfast_lock drop column touched_us");
    run(url, "delete from holdfast_meta where ns = ''");
  }

  private static void refusedIfItMayNot(String uri) throws Exception {
    try (Holdfast client = Holdfast.connect(uri + "holdfast.create=false")) {
      assertThatThrownBy(() -> client.lock("a").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("hf0")
          .hasMessageContaining("hf1")
          .hasMessageContaining("alter table holdfast_lock add column touched_us")
          .hasMessageContaining("holdfast_meta");
    }
  }

  private static void newerIsRefused(String url, String uri) throws Exception {
    run(url, "update holdfast_meta set layout = 2 where ns = ''");
    List<String> modes =
        url.startsWith("jdbc:postgresql") ? List.of("table", "session") : List.of("table");
    for (String mode : modes) {
      try (Holdfast client = Holdfast.connect(uri + "holdfast.mode=" + mode)) {
        assertThatThrownBy(() -> client.lock("a").acquire(WAIT))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("hf2")
            .hasMessageContaining("hf1")
            .hasMessageContaining("newer version");
      }
    }
  }

  private static List<Long> together(String url, String uri) throws Exception {
    CyclicBarrier start = new CyclicBarrier(CLIENTS);
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    long began = System.nanoTime();
    try {
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Callable<Long> body = () -> use(uri, start);
        all.add(threads.submit(body));
      }
      List<Long> tokens = new ArrayList<>();
      for (Future<Long> each : all) {
        tokens.add(each.get(60, TimeUnit.SECONDS));
      }
      Figure.print(
          "%s: %d clients brought older tables up to date, %,d ms until all had been in",
          url.split(":", 3)[1], CLIENTS, (System.nanoTime() - began) / 1_000_000);
      return tokens;
    } finally {
      threads.shutdownNow();
    }
  }

  private static long use(String uri, CyclicBarrier start) throws Exception {
    try (Holdfast client = Holdfast.connect(uri)) {
      start.await();
      assertThat(client.lock("mutex").tryAcquire()).isEmpty();
      assertThat(fifo(client).lock("line").tryAcquire()).isEmpty();
      try (Hold hold = client.lock("other").acquire(WAIT)) {
        hold.ensureHeld();
        return hold.token();
      }
    }
  }

  private static void run(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(String url, String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
