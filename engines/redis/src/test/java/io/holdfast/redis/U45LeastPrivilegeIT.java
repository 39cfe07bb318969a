package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Health;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.Loss;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** U45: a user with exactly the rights that we document, and with fewer. */
class U45LeastPrivilegeIT {

  private static final Duration WAIT = Duration.ofSeconds(10);

  private AclFile acl;
  private RedisServer server;

  @BeforeEach
  void start() throws Exception {
    acl = AclFile.line(0);
    server =
        RedisServer.start(
            RedisServerOptions.PLAIN.withUser(AclFile.USER, AclFile.PASSWORD, acl.asArray()));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private String uri() {
    return server.uri().replace("://", "://" + AclFile.USER + ":" + AclFile.PASSWORD + "@");
  }

  private void allow(AclFile rules) {
    server.call(
        Stream.concat(
                Stream.of("ACL", "SETUSER", AclFile.USER, "reset", "on", ">" + AclFile.PASSWORD),
                rules.rules().stream())
            .toArray(String[]::new));
    server.call("SCRIPT", "FLUSH");
    server.call("ACL", "LOG", "RESET");
  }

  @Test
  void everything_works_with_the_documented_rights() throws Exception {
    EveryFeature.at(uri());
    assertThat(server.call("ACL", "LOG")).isEmpty();
  }

  @Test
  void a_deletion_by_hand_is_told_with_the_documented_rights() throws Exception {
    try (Holdfast holdfast = Holdfast.connect(uri())) {
      Hold hold = holdfast.lock("deleted").acquire(WAIT);
      CompletableFuture<Loss> told = new CompletableFuture<>();
      hold.onLoss(told::complete);
      Await.until("a watch", WAIT, () -> !server.info("tracking_total_keys").equals("0"));
      long start = System.nanoTime();
      server.call("DEL", server.call("KEYS", "{hf:*}:l:default:deleted").trim());
      told.get(WAIT.toSeconds(), TimeUnit.SECONDS);
      Figure.since(start, Duration.ofMillis(300), "deleted by hand, with the fewest rights: told");
    }
    assertThat(server.call("ACL", "LOG")).isEmpty();
  }

  @Test
  void each_of_the_documented_rights_is_needed() throws Exception {
    List<String> harmless = new ArrayList<>();
    for (String command : acl.commands()) {
      allow(acl.without(command));
      if (catchThrowable(() -> EveryFeature.at(uri())) == null) {
        harmless.add(command);
      }
    }
    // The name is for CLIENT LIST alone, and PING is for silences that are longer than this test.
    // HELLO and tracking are for holds that are deleted by hand.
    assertThat(harmless).containsExactly("+client|setname", "+client|tracking", "+hello", "+ping");
    assertThat(acl.rules()).doesNotContain("+@all", "allcommands", "allkeys", "allchannels");
    allow(acl);
    EveryFeature.at(uri());
  }

  @Test
  void without_ping_a_quiet_subscription_is_made_anew_and_anew() throws Exception {
    allow(acl.without("+ping"));
    try (Player one = new Player(engine(), "one");
        Player other = new Player(engine(), "other")) {
      one.in(one.ticket("quiet", Player.MUTEX));
      other.out(other.ticket("quiet", Player.MUTEX));
      Await.until("the denial", WAIT, () -> server.call("ACL", "LOG").contains("ping"));
    }
  }

  /** With short timeouts, after which a silent server is asked for a sign of life. */
  private LockEngine engine() {
    Settings usual = Engines.settings();
    Settings hasty =
        new Settings(
            usual.lease(), Duration.ofMillis(200), 0, usual.nanoTime(), usual.epochMicros());
    return new RedisEngineProvider().open(uri(), hasty);
  }

  @Test
  void without_eval_it_is_refused_at_once_naming_what_is_missing() throws Exception {
    allow(acl.without("+evalsha").without("+eval"));
    try (Holdfast holdfast = Holdfast.connect(uri())) {
      assertThatThrownBy(() -> holdfast.lock("a").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("evalsha")
          .hasMessageContaining("docs/engines/redis.md");
    }
  }

  @Test
  void a_command_that_scripts_lack_is_refused_at_once() throws Exception {
    allow(acl.without("+mget"));
    try (Holdfast holdfast = Holdfast.connect(uri())) {
      assertThatThrownBy(() -> holdfast.lock("a").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("docs/engines/redis.md");
    }
  }

  @Test
  void without_the_right_to_signals_waiters_poll_and_health_says_so() throws Exception {
    for (AclFile fewer :
        List.of(acl.without("+subscribe"), acl.without("+publish"), acl.without("&{hf:*"))) {
      allow(fewer);
      try (Holdfast one = Holdfast.connect(uri());
          Holdfast other = Holdfast.connect(uri())) {
        Hold hold = one.lock("polled").acquire(WAIT);
        CompletableFuture<Hold> waiting = other.lock("polled").acquireAsync(WAIT);
        if (!fewer.rules().contains("+publish")) {
          // Whoever may not publish still listens; only those who do both are told of it.
          Await.until("a waiter", WAIT, () -> other.health().waiting() == 1);
        } else {
          Await.until("a warning", WAIT, () -> other.health().status() == Health.Status.WARN);
          assertThat(other.health().warnings())
              .anySatisfy(warning -> assertThat(warning).contains("poll", "NOPERM"));
        }
        hold.release();
        waiting.get().release();
      }
    }
  }

  @Test
  void replicas_that_confirm_need_wait_too_and_the_strict_profile_nothing() throws Exception {
    server.call("CONFIG", "SET", "min-replicas-to-write", "1");
    try (RedisServer replica = RedisServer.start(RedisServerOptions.PLAIN.replicaOf(server))) {
      replica.awaitInSync(server);
      String options = "?strict=true&quarantine=40s&minReplicas=1&replicaTimeout=1s";
      allow(acl.with("+wait"));
      RedisEngine.init(io.holdfast.redis.RedisOptions.of(uri() + options), WAIT);
      EveryFeature.at(uri() + options);
      assertThat(server.call("ACL", "LOG")).isEmpty();
      allow(acl);
      EveryFeature.at(uri() + "?strict=true&quarantine=40s");
      assertThatThrownBy(() -> EveryFeature.at(uri() + options)).hasMessageContaining("WAIT");
    }
  }

  @Test
  void another_database_needs_select_too() throws Exception {
    allow(acl.with("+select"));
    EveryFeature.at(uri() + "/1");
    allow(acl);
    assertThatThrownBy(() -> EveryFeature.at(uri() + "/1")).hasMessageContaining("select");
  }
}
