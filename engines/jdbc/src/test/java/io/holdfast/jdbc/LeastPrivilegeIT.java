package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.spi.Counter;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a user who may little can do, and is told. */
@Timeout(60)
class LeastPrivilegeIT {

  private static final Duration WAIT = Duration.ofSeconds(10);

  @Test
  void rights_on_the_three_tables_are_enough_and_without_them_it_is_said() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      server.createUser("locks", "s3cret");
      server.sql("revoke create on schema public from public");
      String url = server.jdbcUri(PostgresServer.DATABASE, "locks") + "&password=s3cret";
      try (Holdfast poor = Holdfast.connect(url)) {
        assertThatThrownBy(() -> poor.lock("a").acquire(WAIT))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("create table")
            .hasMessageNotContaining("s3cret");
        create(server);
        assertThatThrownBy(() -> poor.lock("a").acquire(WAIT))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("permission denied");
        server.sql(
            "grant select, insert, update, delete on holdfast_lock, holdfast_ticket, holdfast_meta"
                + " to locks");
        for (Order order : Order.values()) {
          Holdfast view = poor.with(o -> o.withOrder(order));
          try (Hold hold = view.lock("as " + order).acquire(WAIT)) {
            assertThat(view.lock("as " + order).tryAcquire()).isEmpty();
            hold.ensureHeld();
          }
        }
      }
    }
  }

  @Test
  void three_rights_on_the_table_of_counters_are_enough() throws Exception {
    Counter.Ask ask = new Counter.Ask(new Resource("default", "ids"), 10, 0, false);
    try (PostgresServer server = PostgresServer.start()) {
      server.createUser("ids", "s3cret");
      server.sql("revoke create on schema public from public");
      String rich = server.jdbcUri(PostgresServer.DATABASE, server.user());
      String poor = server.jdbcUri(PostgresServer.DATABASE, "ids") + "&password=s3cret";
      try (LockEngine owner = Engines.open(rich);
          LockEngine user = Engines.open(poor)) {
        Counter counter = owner.counter().orElseThrow();
        Counter theirs = user.counter().orElseThrow();
        assertThat(counter.take(ask)).isZero();
        assertThatThrownBy(() -> theirs.take(ask)).hasMessageContaining("permission denied");
        server.sql("grant select, insert, update on holdfast_counter to ids");
        assertThat(theirs.take(ask)).isEqualTo(10);
        assertThat(theirs.giveBack(ask.name(), 15, 20)).isTrue();
        assertThat(counter.take(ask)).isEqualTo(15);
      }
    }
  }

  /** As an operator would, who may. */
  private static void create(PostgresServer server) throws Exception {
    try (Holdfast rich = Holdfast.connect(server.jdbcUri(PostgresServer.DATABASE, server.user()))) {
      rich.lock("a").acquire(WAIT).release();
    }
  }
}
