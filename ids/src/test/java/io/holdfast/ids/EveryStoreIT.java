package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Every store that counts makes every kind of ids over a client, for two clients at once. */
@Timeout(120)
class EveryStoreIT {

  private static final int EACH = 200;

  @TempDir Path folder;

  @Test
  void redis() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      check(server.uri());
    }
  }

  @Test
  void postgresql() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      check(server.jdbcUri(PostgresServer.DATABASE, server.user()));
    }
  }

  @Test
  void mariadb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("ids");
      check(server.jdbcUri("ids"));
    }
  }

  @Test
  @EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
  void mysql() throws Exception {
    try (MySqlServer server = MySqlServer.start()) {
      server.createDatabase("ids");
      check(server.jdbcUri("ids", server.user()));
    }
  }

  @Test
  void sqlite() throws Exception {
    check("jdbc:sqlite:" + folder.resolve("ids.db"));
  }

  @Test
  void h2() throws Exception {
    check("jdbc:h2:" + folder.resolve("ids"));
  }

  @Test
  void memory() throws Exception {
    check("memory:every-store");
  }

  @Test
  void zookeeper() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start()) {
      check(server.uri() + "?holdfast.lease=3s");
    }
  }

  @Test
  void etcd() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      check(server.uri());
    }
  }

  private static void check(String address) throws Exception {
    try (Holdfast one = Holdfast.connect(address);
        Holdfast two = Holdfast.connect(address)) {
      strictOrder(one, two);
      inBlocks(one, two);
      timeOrdered(one, two);
      onePlan(two);
    }
  }

  private static void strictOrder(Holdfast one, Holdfast two) {
    try (LongIds mine = Ids.over(one).counter("invoices");
        LongIds theirs = Ids.over(two).counter("invoices")) {
      long last = 0;
      long start = System.nanoTime();
      for (int i = 0; i < EACH; i++) {
        long id = (i % 3 == 0 ? mine : theirs).next();
        assertThat(id).isGreaterThan(last);
        last = id;
      }
      Figure.print(
          "%s: %d ids one by one, %,d us each",
          one.traits().store(), EACH, (System.nanoTime() - start) / 1000 / EACH);
    }
  }

  private static void inBlocks(Holdfast one, Holdfast two) throws Exception {
    SegmentOptions small = SegmentOptions.DEFAULTS.withSteps(10, 50);
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failed = new ArrayList<>();
    try (LongIds mine = Ids.over(one).segment("events", small);
        LongIds theirs = Ids.over(two).segment("events", small)) {
      for (int i = 0; i < 4; i++) {
        LongIds ids = i % 2 == 0 ? mine : theirs;
        Thread thread =
            new Thread(
                () -> {
                  for (int n = 0; n < EACH; n++) {
                    assertThat(seen.add(ids.next())).isTrue();
                  }
                });
        thread.setUncaughtExceptionHandler((who, e) -> failed.add(e));
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(failed).isEmpty();
    assertThat(seen).hasSize(4 * EACH);
  }

  private static void timeOrdered(Holdfast one, Holdfast two) {
    Set<Long> seen = new HashSet<>();
    Set<Integer> workers = new HashSet<>();
    for (int round = 0; round < 3; round++) {
      try (LongIds mine = Ids.over(one).timeline("orders");
          LongIds theirs = Ids.over(two).timeline("orders")) {
        for (int i = 0; i < EACH; i++) {
          assertThat(seen.add(mine.next())).isTrue();
          assertThat(seen.add(theirs.next())).isTrue();
        }
        workers.add(mine.describe(mine.next()).worker().orElseThrow());
        workers.add(theirs.describe(theirs.next()).worker().orElseThrow());
      }
    }
    assertThat(workers).hasSizeGreaterThan(1);
  }

  private static void onePlan(Holdfast two) {
    TimelineOptions other = TimelineOptions.DEFAULTS.withLayout(IdLayout.JAVASCRIPT);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> Ids.over(two).timeline("orders", other))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("41+10+12")
          .hasMessageContaining("36+8+9");
      Ids.over(two).timeline("orders").close();
    }
    assertThatThrownBy(() -> Ids.over(two).timeline("invoices"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("numbers of a counter");
  }
}
