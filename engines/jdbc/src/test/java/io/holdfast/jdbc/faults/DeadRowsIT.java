package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that are full of rows which nobody uses any more. */
@Timeout(600)
class DeadRowsIT {

  /** A million where the figure is wanted: {@code -Ddead.rows=1000000}. */
  private static final int ROWS = Integer.getInteger("dead.rows", 100_000);

  private static final Duration WAIT = Duration.ofSeconds(20);

  @ParameterizedTest
  @EnumSource
  @DisplayName("a client that is idle removes them")
  void swept(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast client = Holdfast.connect(server.url())) {
      client.lock("first").acquire(WAIT).release();
      fill(server, "0");
      Await.until("the next walk", Duration.ofSeconds(100), () -> removed(client) > 0);
      long start = System.nanoTime();
      long before = removed(client);
      Await.until("no dead rows", Duration.ofSeconds(500), () -> removed(client) >= ROWS);
      long millis = (System.nanoTime() - start) / 1_000_000;
      Figure.print(
          "%s: %,d dead rows removed by an idle client in %,d ms, %,d a second",
          kind, ROWS - before, millis, (ROWS - before) * 1000L / millis);
      assertThat(server.number("select count(*) from holdfast_lock where name like 'dead%'"))
          .isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("what is held among them is listed, and so is what has a prefix that few have")
  void listed(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast client = Holdfast.connect(server.url());
        Hold low = client.lock("dead/").acquire(WAIT);
        Hold high = client.lock("zzz").acquire(WAIT)) {
      // Used a moment ago, so nobody sweeps them.
      fill(
          server,
          kind == Server.Kind.POSTGRESQL
              ? "(extract(epoch from now()) * 1000000)::bigint"
              : "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))");
      EngineInspector inspector = client.inspector().orElseThrow();
      long start = System.nanoTime();
      List<LineView> all = inspector.list("default", "", "", 100);
      long listed = System.nanoTime();
      List<LineView> some = inspector.list("default", "dead/", "", 100);
      long prefixed = System.nanoTime();
      List<LineView> none = inspector.list("default", "dead/77", "", 100);
      Figure.print(
          "%s: all of %,d dead rows listed in %,d ms, with a prefix of all in %,d ms, of few in %,d ms",
          kind,
          ROWS,
          (listed - start) / 1_000_000,
          (prefixed - listed) / 1_000_000,
          (System.nanoTime() - prefixed) / 1_000_000);
      assertThat(all).extracting(line -> line.resource().name()).containsExactly("dead/", "zzz");
      assertThat(some).extracting(line -> line.resource().name()).containsExactly("dead/");
      assertThat(none).isEmpty();
      assertThat(low.isHeld() && high.isHeld()).isTrue();
    }
  }

  private static long removed(Holdfast client) {
    return client.health().counters().get("rows.removed");
  }

  private static void fill(Server server, String touched) throws Exception {
    String columns =
        "insert into holdfast_lock (ns, name, kind, capacity, generation, counter, lease_us,"
            + " expires_us, joined_us, wanted_us, next_place, touched_us) select 'default', ";
    String values = ", 'm', 1, 0, 0, 0, 0, 0, 0, 0, " + touched + " from ";
    server.run(
        server.kind() == Server.Kind.POSTGRESQL
            ? columns + "'dead/' || i" + values + "generate_series(1, " + ROWS + ") i"
            : columns + "concat('dead/', seq)" + values + "seq_1_to_" + ROWS);
  }
}
