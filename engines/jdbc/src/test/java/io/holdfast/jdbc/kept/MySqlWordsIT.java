package io.holdfast.jdbc.kept;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.MariaDbServer;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.Resource;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is said to MySQL, said to MariaDB, which understands all of it but the collation of tables:
 * tokens are numbered from a row, as MySQL has no sequences, and a block of a counter is read after
 * it was taken, as its inserts do not answer. It is no proof for MySQL itself.
 */
@Timeout(120)
class MySqlWordsIT {

  private static final Duration WAIT = Duration.ofSeconds(10);

  @Test
  void sessions_exclude_and_tokens_rise() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      String uri = server.jdbcUri(MariaDbServer.DATABASE, server.user());
      server.sql(
          """
          create table w_meta (ns varchar(64) primary key, generation integer, layout integer);
          create table w_token (id integer primary key, counter bigint);
          insert into w_token values (0, 0);
          """);
      try (Holdfast mine = connect(uri);
          Holdfast theirs = connect(uri)) {
        long last = 0;
        for (int i = 0; i < 20; i++) {
          Hold hold = (i % 2 == 0 ? mine : theirs).lock("x").acquire(WAIT);
          assertThat((i % 2 == 0 ? theirs : mine).lock("x").tryAcquire()).isEmpty();
          assertThat(hold.token()).isGreaterThan(last);
          last = hold.token();
          assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
        }
      }
    }
  }

  @Test
  void blocks_of_counters_follow_each_other() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      String uri = server.jdbcUri(MariaDbServer.DATABASE, server.user());
      server.sql(
          """
          create table w_counter (ns varchar(64), name varchar(64), next_number bigint,
            primary key (ns, name));
          """);
      try (Holdfast mine = connect(uri);
          Holdfast theirs = connect(uri)) {
        Counter.Ask ask = new Counter.Ask(new Resource("default", "ids"), 10, 5, false);
        for (int i = 0; i < 20; i++) {
          Holdfast each = i % 2 == 0 ? mine : theirs;
          assertThat(each.counter().orElseThrow().take(ask)).isEqualTo(5 + 10L * i);
        }
      }
    }
  }

  private static Holdfast connect(String uri) {
    JdbcOptions plain = JdbcOptions.of(uri + "&holdfast.mode=session&holdfast.table=w_");
    JdbcOptions options =
        new JdbcOptions(
            plain.url(),
            JdbcOptions.Database.MYSQL,
            plain.mode(),
            plain.prefix(),
            true,
            true,
            plain.rowConnections(),
            "",
            "");
    Settings settings =
        new Settings(Duration.ofSeconds(30), Duration.ofSeconds(2), 0, System::nanoTime, () -> 0L);
    return Holdfast.open(JdbcEngine.open(options, settings), HoldfastOptions.DEFAULTS);
  }
}
