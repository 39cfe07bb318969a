package io.holdfast.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.Await;
import io.holdfast.rig.Direction;
import io.holdfast.rig.FaultProxy;
import io.holdfast.rig.Figure;
import io.holdfast.rig.RedisOptions;
import io.holdfast.rig.RedisServer;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeWireIT {

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void a_batch_is_answered_in_its_order() throws Exception {
    try (Wiring wiring = Scene.open(Scene.uri(server));
        Wire wire = wiring.connect()) {
      List<Call> calls = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        calls.add(Scene.call(Scene.ECHO, "k", "v" + i));
      }
      List<Reply> replies = wire.run(calls);
      for (int i = 0; i < 300; i++) {
        assertThat(Scene.text(Scene.value(replies.get(i)))).isEqualTo("v" + i);
      }
      assertThat(((Reply.Value) replies.get(0)).replicas()).isEqualTo(Reply.NOT_ASKED);
    }
  }

  @Test
  void a_script_that_the_server_forgot_is_sent_in_full() throws Exception {
    try (Wiring wiring = Scene.open(Scene.uri(server));
        Wire wire = wiring.connect()) {
      Script fresh = Scene.fresh();
      Script other = Scene.script("n", "return redis.call('INCR', KEYS[1])  ");
      server.call("DEL", "forgotten");
      wire.run(List.of(Scene.call(other, "forgotten")));
      server.call("SCRIPT", "FLUSH");
      List<Reply> replies =
          wire.run(
              List.of(
                  Scene.call(other, "forgotten"),
                  Scene.call(fresh, "k"),
                  Scene.call(other, "forgotten")));
      assertThat(Scene.value(replies.get(0))).isEqualTo(2L);
      assertThat(Scene.value(replies.get(1))).isInstanceOf(Long.class);
      assertThat(Scene.value(replies.get(2))).isEqualTo(3L);
    }
  }

  @Test
  void nothing_is_nil() throws Exception {
    try (Wiring wiring = Scene.open(Scene.uri(server));
        Wire wire = wiring.connect()) {
      assertThat(Scene.value(wire.run(List.of(Scene.call(Scene.NOTHING, "k"))).get(0)))
          .isEqualTo(Nil.NIL);
      assertThat(wire.run(List.of())).isEmpty();
    }
  }

  @Test
  void the_run_id_is_the_servers() throws Exception {
    try (Wiring wiring = Scene.open(Scene.uri(server));
        Wire wire = wiring.connect()) {
      Reply reply = wire.run(List.of(Scene.call(Scene.RUN_ID, "k", "first"))).get(0);
      assertThat(Scene.text(Scene.value(reply))).isEqualTo(server.runId());
    }
  }

  @Test
  void errors_of_the_server_fail_their_own_call_alone() throws Exception {
    try (Wiring wiring = Scene.open(Scene.uri(server));
        Wire wire = wiring.connect()) {
      server.call("DEL", "list");
      server.call("LPUSH", "list", "x");
      List<Reply> replies =
          wire.run(
              List.of(
                  Scene.call(Scene.INCREMENT, "list"),
                  Scene.call(Scene.ECHO, "k", "still"),
                  Scene.call(Scene.script("bad", "return error('boom')"), "k")));
      assertThat(Scene.failure(replies.get(0)))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("WRONGTYPE");
      assertThat(Scene.text(Scene.value(replies.get(1)))).isEqualTo("still");
      assertThat(Scene.failure(replies.get(2))).isInstanceOf(EngineException.Unknown.class);
    }
  }

  @Test
  void a_command_of_the_store_is_answered() throws Exception {
    try (Wiring wiring = Scene.open(Scene.uri(server));
        Wire wire = wiring.connect()) {
      server.call("SET", "there", "x");
      assertThat(Scene.text(Scene.value(wire.command(Scene.text("TYPE"), Scene.text("there")))))
          .isEqualTo("string");
      assertThat(Scene.value(wire.command(Scene.text("SCAN"), Scene.text("0"))))
          .isInstanceOf(List.class);
      assertThat(Scene.failure(wire.command(Scene.text("NOSUCH"), Scene.text("s3cret"))))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void closing_from_another_thread_breaks_off_a_call() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        Wiring wiring = Scene.open("redis://127.0.0.1:" + proxy.port(), Duration.ofSeconds(30))) {
      Wire wire = wiring.connect();
      proxy.blackHole();
      CompletableFuture<List<Reply>> run =
          CompletableFuture.supplyAsync(() -> wire.run(List.of(Scene.call(Scene.ECHO, "k", "v"))));
      assertThatThrownBy(() -> run.get(300, TimeUnit.MILLISECONDS)).isNotNull();
      long before = System.nanoTime();
      wire.close();
      Exception failure = Scene.failure(run.get(5, TimeUnit.SECONDS).get(0));
      Figure.since(before, Duration.ofMillis(100), "redis: closing broke off a call");
      assertThat(failure).isInstanceOf(EngineException.Unknown.class);
      assertThat(Scene.failure(wire.run(List.of(Scene.call(Scene.ECHO, "k", "v"))).get(0)))
          .isInstanceOf(EngineException.NotDone.class);
    }
  }

  @Test
  void closing_breaks_off_connecting_too() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        Wiring wiring = Scene.open("redis://127.0.0.1:" + proxy.port(), Duration.ofSeconds(30))) {
      Wire wire = wiring.connect();
      proxy.reset();
      wire.run(List.of(Scene.call(Scene.ECHO, "k", "v")));
      proxy.heal();
      proxy.blackHole();
      CompletableFuture<List<Reply>> run =
          CompletableFuture.supplyAsync(() -> wire.run(List.of(Scene.call(Scene.ECHO, "k", "v"))));
      assertThatThrownBy(() -> run.get(300, TimeUnit.MILLISECONDS)).isNotNull();
      long before = System.nanoTime();
      wire.close();
      Exception failure = Scene.failure(run.get(5, TimeUnit.SECONDS).get(0));
      Figure.since(before, Duration.ofMillis(100), "redis: closing broke off connecting");
      assertThat(failure).isInstanceOf(EngineException.NotDone.class);
    }
  }

  @Test
  void a_line_that_swallows_answers_is_unknown_within_the_operation_timeout() throws Exception {
    Duration timeout = Duration.ofSeconds(1);
    try (FaultProxy proxy = FaultProxy.to(server.process());
        Wiring wiring = Scene.open("redis://127.0.0.1:" + proxy.port(), timeout);
        Wire wire = wiring.connect()) {
      wire.run(List.of(Scene.call(Scene.INCREMENT, "swallowed")));
      server.call("DEL", "swallowed");
      proxy.passOnly(Direction.REQUESTS);
      long before = System.nanoTime();
      Reply reply = wire.run(List.of(Scene.call(Scene.INCREMENT, "swallowed"))).get(0);
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(timeout);
      assertThat(Scene.failure(reply)).isInstanceOf(EngineException.Unknown.class);
      assertThat(server.call("GET", "swallowed")).isEqualTo("1");
      proxy.heal();
      assertThat(Scene.value(wire.run(List.of(Scene.call(Scene.INCREMENT, "swallowed"))).get(0)))
          .isEqualTo(2L);
    }
  }

  @Test
  void a_refused_connection_is_not_done() throws Exception {
    RedisServer other = RedisServer.start();
    try (Wiring wiring = Scene.open(Scene.uri(other));
        Wire wire = wiring.connect()) {
      other.close();
      assertThat(Scene.failure(wire.run(List.of(Scene.call(Scene.ECHO, "k", "v"))).get(0)))
          .isInstanceOf(EngineException.Unknown.class);
      assertThat(Scene.failure(wire.run(List.of(Scene.call(Scene.ECHO, "k", "v"))).get(0)))
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("refused")
          .hasMessageContaining(":" + other.port());
      assertThatThrownBy(wiring::connect).isInstanceOf(EngineException.NotDone.class);
    }
  }

  @Test
  void a_wrong_password_is_refused_and_not_repeated() {
    try (RedisServer locked = RedisServer.start(RedisOptions.PLAIN.withPassword("right-one"))) {
      for (String login : List.of(":wr0ng-one@", "somebody:wr0ng-one@", "")) {
        try (Wiring wiring = Scene.open("redis://" + login + "127.0.0.1:" + locked.port())) {
          assertThatThrownBy(wiring::connect)
              .isInstanceOf(EngineException.Refused.class)
              .hasMessageContaining("check user and password")
              .hasMessageNotContaining("wr0ng-one")
              .hasNoCause();
        }
      }
    }
  }

  @Test
  void a_password_that_nobody_asked_for_is_refused() {
    try (Wiring wiring = Scene.open("redis://:pa55@127.0.0.1:" + server.port())) {
      assertThatThrownBy(wiring::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageNotContaining("pa55");
    }
  }

  @Test
  void the_right_password_and_database_are_used() throws Exception {
    try (RedisServer locked =
            RedisServer.start(
                RedisOptions.PLAIN.withUser("app", "pass word", "~*", "&*", "+@all"));
        Wiring wiring = Scene.open("redis://app:pass%20word@127.0.0.1:" + locked.port() + "/3");
        Wire wire = wiring.connect()) {
      wire.run(List.of(Scene.call(Scene.INCREMENT, "here")));
      assertThat(locked.call("EXISTS", "here")).isEqualTo("0");
      assertThat(locked.call("INFO", "keyspace")).contains("db3:keys=1");
    }
  }

  @Test
  void a_database_that_there_is_not_is_refused() {
    try (Wiring wiring = Scene.open(Scene.uri(server) + "/99")) {
      assertThatThrownBy(wiring::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("DB index");
    }
  }

  @Test
  void a_replica_is_not_used_and_found_anew_when_it_is_the_master() throws Exception {
    try (RedisServer other = RedisServer.start();
        Wiring wiring = Scene.open(Scene.uri(other));
        Wire wire = wiring.connect()) {
      other.replicate(server);
      other.awaitInSync(server);
      assertThat(Scene.failure(wire.run(List.of(Scene.call(Scene.INCREMENT, "n"))).get(0)))
          .isInstanceOf(EngineException.class);
      assertThat(Scene.failure(wire.run(List.of(Scene.call(Scene.INCREMENT, "n"))).get(0)))
          .isInstanceOf(EngineException.NotDone.class);
      other.call("REPLICAOF", "NO", "ONE");
      assertThat(Scene.value(wire.run(List.of(Scene.call(Scene.INCREMENT, "n"))).get(0)))
          .isInstanceOf(Long.class);
    }
  }

  @Test
  void replicas_are_asked_for_calls_that_want_it() throws Exception {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = RedisServer.start(RedisOptions.PLAIN.replicaOf(master))) {
      replica.awaitInSync(master);
      try (Wiring wiring = Scene.open(Scene.uri(master) + "?minReplicas=1&replicaTimeout=1s");
          Wire wire = wiring.connect()) {
        Call plain = Scene.call(Scene.INCREMENT, "n");
        Call acknowledged = new Call(plain.script(), plain.keys(), plain.args(), true);
        assertThat(((Reply.Value) wire.run(List.of(plain)).get(0)).replicas())
            .isEqualTo(Reply.NOT_ASKED);
        // A replica that has just come counts only after its first sign of life, within a second.
        Await.until(
            "one replica",
            Scene.BOUND,
            () -> ((Reply.Value) wire.run(List.of(acknowledged)).get(0)).replicas() == 1);
        Call fresh = new Call(Scene.fresh(), plain.keys(), plain.args(), true);
        assertThat(((Reply.Value) wire.run(List.of(fresh, acknowledged)).get(1)).replicas())
            .isEqualTo(1);
      }
    }
  }
}
