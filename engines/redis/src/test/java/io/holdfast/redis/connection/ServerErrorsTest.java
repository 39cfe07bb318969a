package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What servers say and what we take it for. */
class ServerErrorsTest {

  @Nested
  class Errors {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "READONLY You can't write against a read only replica.",
          "LOADING Redis is loading the dataset in memory",
          "MASTERDOWN Link with MASTER is down",
          "CLUSTERDOWN Hash slot not served",
          "TRYAGAIN Multiple keys request during rehashing of slot",
          "BUSY Redis is busy running a script.",
          "OOM command not allowed when used memory > 'maxmemory'.",
          "MISCONF Redis is configured to save RDB snapshots",
          "NOREPLICAS Not enough good replicas to write.",
        })
    void what_was_turned_away_is_not_done(String said) {
      assertThat(ServerErrors.of(said, "attempt", "h:1"))
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessage("h:1 said to attempt: " + said);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "NOPERM this user has no permissions to run the 'evalsha' command",
          "NOAUTH Authentication required.",
          "WRONGTYPE Operation against a key holding the wrong kind of value",
          "ERR unknown command 'EVALSHA', with args beginning with: 's3cret' ",
        })
    void what_will_not_change_by_itself_is_refused(String said) {
      assertThat(ServerErrors.of(said, "attempt", "h:1"))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageNotContaining("s3cret");
    }

    @Test
    void a_script_that_broke_off_is_unknown() {
      assertThat(ServerErrors.of("ERR user_script:5: attempt to index", "attempt", "h:1"))
          .isInstanceOf(EngineException.Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "WRONGPASS invalid username-password pair or user is disabled.",
          "NOAUTH Authentication required.",
          "ERR AUTH <password> called without any password configured",
          "ERR DB index is out of range",
          "ERR unknown command 'AUTH', with args beginning with: 's3cret' ",
          "DENIED Redis is running in protected mode",
        })
    void logins_that_will_not_work_are_refused(String said) {
      assertThat(ServerErrors.ofLogin(said, "h:1"))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERR max number of clients reached", "LOADING Redis is loading"})
    void logins_that_may_work_later_are_not_done(String said) {
      assertThat(ServerErrors.ofLogin(said, "h:1")).isInstanceOf(EngineException.NotDone.class);
    }
  }

  @Nested
  class Facts {

    private static ServerInfo facts(String... lines) {
      return ServerInfo.parse("# Server\r\n" + String.join("\r\n", lines) + "\r\n");
    }

    @Test
    void a_master_of_a_version_that_will_do_is_used() {
      ServerCheck check = new ServerCheck(true);
      assertThatCode(
              () ->
                  check.look(
                      "h:1",
                      facts(
                          "redis_version:7.0.15",
                          "role:master",
                          "maxmemory:0",
                          "maxmemory_policy:allkeys-lru")))
          .doesNotThrowAnyException();
      assertThat(check.warnings()).isEmpty();
    }

    @Test
    void a_master_that_would_go_on_without_its_replicas_is_a_warning_when_strict()
        throws Exception {
      String[] told = {"redis_version:7.0.15", "role:master", "maxmemory:0", "connected_slaves:1"};
      ServerCheck strict = new ServerCheck(true);
      strict.look("h:1", facts(told));
      assertThat(strict.warnings()).singleElement().asString().contains("min-replicas-to-write");
      ServerCheck lenient = new ServerCheck(false);
      lenient.look("h:1", facts(told));
      assertThat(lenient.warnings()).isEmpty();
    }

    @Test
    void an_old_version_is_refused_and_a_replica_is_not_done() {
      ServerCheck check = new ServerCheck(false);
      assertThatThrownBy(() -> check.look("h:1", facts("redis_version:6.2.1", "role:master")))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("h:1 is Redis 6.2.1");
      assertThatThrownBy(() -> check.look("h:1", facts("redis_version:7.2", "role:slave")))
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("h:1 is a slave");
    }

    @Test
    void a_server_that_may_evict_locks_is_a_warning_or_refused() throws Exception {
      ServerInfo evicting =
          facts(
              "redis_version:8.0.0",
              "role:master",
              "maxmemory:1000",
              "maxmemory_policy:volatile-lru");
      ServerCheck lenient = new ServerCheck(false);
      lenient.look("h:1", evicting);
      lenient.look("h:1", evicting);
      assertThat(lenient.warnings()).singleElement().asString().contains("volatile-lru");
      assertThatThrownBy(() -> new ServerCheck(true).look("h:1", evicting))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("noeviction");
    }

    @Test
    void what_was_mended_is_not_warned_of_any_more() throws Exception {
      ServerCheck check = new ServerCheck(false);
      String[] mended = {"redis_version:8.0.0", "role:master", "maxmemory:0"};
      String[] evicting = {
        "redis_version:8.0.0", "role:master", "maxmemory:1", "maxmemory_policy:allkeys-lru"
      };
      check.look("h:1", facts(evicting));
      check.look("h:2", facts(evicting));
      check.unseen("h:3", "NOPERM");
      assertThat(check.warnings()).hasSize(3);
      check.look("h:1", facts(mended));
      check.look("h:3", facts(mended));
      assertThat(check.warnings()).singleElement().asString().startsWith("h:2");
    }

    @Test
    void a_server_that_does_not_tell_is_a_warning_or_refused() throws Exception {
      ServerCheck lenient = new ServerCheck(false);
      lenient.unseen("h:1", "NOPERM");
      assertThat(lenient.warnings()).hasSize(1);
      assertThatThrownBy(() -> new ServerCheck(true).unseen("h:1", "NOPERM"))
          .isInstanceOf(EngineException.Refused.class);
    }
  }

  @Nested
  class MapsOfSlots {

    private static final Server ASKED = new Server("asked.example", 7000);

    private static List<Object> range(long first, long last, Object host, long port) {
      List<Object> node = Arrays.asList(host, port, ConnectionScene.text("id"));
      return List.of(first, last, node, node);
    }

    @Test
    void ranges_have_a_master() {
      Object answer =
          List.of(
              range(0, 99, ConnectionScene.text("10.0.0.1"), 7001),
              range(100, 16_383, ConnectionScene.text("::1"), 7002));
      List<Slots.SlotRange> ranges = Slots.SlotRange.parse(answer, ASKED);
      Slots slots = new Slots();
      slots.learn(ranges);
      assertThat(slots.master(99)).isEqualTo(new Server("10.0.0.1", 7001));
      assertThat(slots.master(100)).isEqualTo(new Server("::1", 7002));
      assertThat(slots.masters()).hasSize(2);
      slots.learn(List.of(ranges.get(0)));
      assertThat(slots.master(100)).isNull();
    }

    @Test
    void a_node_that_does_not_say_its_name_is_where_we_asked() {
      for (Object host :
          Arrays.asList(
              null, ConnectionScene.text(""), ConnectionScene.text("?"), ScriptReply.Nil.NIL)) {
        assertThat(Slots.SlotRange.parse(List.of(range(0, 1, host, 7001)), ASKED))
            .containsExactly(new Slots.SlotRange(0, 1, new Server("asked.example", 7001)));
      }
    }

    @Test
    void anything_else_is_not_a_map() {
      for (Object answer :
          List.of("x", List.of("x"), List.of(range(0, 16_384, ConnectionScene.text("h"), 1)))) {
        assertThatThrownBy(() -> Slots.SlotRange.parse(answer, ASKED))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }
}
