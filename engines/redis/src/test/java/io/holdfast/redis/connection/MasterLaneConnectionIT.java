package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
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
class MasterLaneConnectionIT {

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
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server));
        LaneConnection connection = topology.connect()) {
      List<ScriptCall> calls = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        calls.add(ConnectionScene.call(ConnectionScene.ECHO, "k", "v" + i));
      }
      List<ScriptReply> replies = connection.run(calls);
      for (int i = 0; i < 300; i++) {
        assertThat(ConnectionScene.text(ConnectionScene.value(replies.get(i)))).isEqualTo("v" + i);
      }
      assertThat(((ScriptReply.Value) replies.get(0)).replicas()).isEqualTo(ScriptReply.NOT_ASKED);
    }
  }

  @Test
  void a_script_that_the_server_forgot_is_sent_in_full() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server));
        LaneConnection connection = topology.connect()) {
      Script fresh = ConnectionScene.fresh();
      Script other = ConnectionScene.script("n", "return redis.call('INCR', KEYS[1])  ");
      server.call("DEL", "forgotten");
      connection.run(List.of(ConnectionScene.call(other, "forgotten")));
      server.call("SCRIPT", "FLUSH");
      List<ScriptReply> replies =
          connection.run(
              List.of(
                  ConnectionScene.call(other, "forgotten"),
                  ConnectionScene.call(fresh, "k"),
                  ConnectionScene.call(other, "forgotten")));
      assertThat(ConnectionScene.value(replies.get(0))).isEqualTo(2L);
      assertThat(ConnectionScene.value(replies.get(1))).isInstanceOf(Long.class);
      assertThat(ConnectionScene.value(replies.get(2))).isEqualTo(3L);
    }
  }

  @Test
  void nothing_is_nil() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server));
        LaneConnection connection = topology.connect()) {
      assertThat(
              ConnectionScene.value(
                  connection
                      .run(List.of(ConnectionScene.call(ConnectionScene.NOTHING, "k")))
                      .get(0)))
          .isEqualTo(ScriptReply.Nil.NIL);
      assertThat(connection.run(List.of())).isEmpty();
    }
  }

  @Test
  void the_run_id_is_the_servers() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server));
        LaneConnection connection = topology.connect()) {
      ScriptReply reply =
          connection
              .run(List.of(ConnectionScene.call(ConnectionScene.RUN_ID, "k", "first")))
              .get(0);
      assertThat(ConnectionScene.text(ConnectionScene.value(reply))).isEqualTo(server.runId());
    }
  }

  @Test
  void errors_of_the_server_fail_their_own_call_alone() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server));
        LaneConnection connection = topology.connect()) {
      server.call("DEL", "list");
      server.call("LPUSH", "list", "x");
      List<ScriptReply> replies =
          connection.run(
              List.of(
                  ConnectionScene.call(ConnectionScene.INCREMENT, "list"),
                  ConnectionScene.call(ConnectionScene.ECHO, "k", "still"),
                  ConnectionScene.call(
                      ConnectionScene.script("bad", "return error('boom')"), "k")));
      assertThat(ConnectionScene.failure(replies.get(0)))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("WRONGTYPE");
      assertThat(ConnectionScene.text(ConnectionScene.value(replies.get(1)))).isEqualTo("still");
      assertThat(ConnectionScene.failure(replies.get(2)))
          .isInstanceOf(EngineException.Unknown.class);
    }
  }

  @Test
  void a_command_of_the_store_is_answered() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server));
        LaneConnection connection = topology.connect()) {
      server.call("SET", "there", "x");
      assertThat(
              ConnectionScene.text(
                  ConnectionScene.value(
                      connection.command(
                          ConnectionScene.text("TYPE"), ConnectionScene.text("there")))))
          .isEqualTo("string");
      assertThat(
              ConnectionScene.value(
                  connection.command(ConnectionScene.text("SCAN"), ConnectionScene.text("0"))))
          .isInstanceOf(List.class);
      assertThat(
              ConnectionScene.failure(
                  connection.command(
                      ConnectionScene.text("NOSUCH"), ConnectionScene.text("s3cret"))))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void closing_from_another_thread_breaks_off_a_call() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        ServerTopology topology =
            ConnectionScene.open("redis://127.0.0.1:" + proxy.port(), Duration.ofSeconds(30))) {
      LaneConnection connection = topology.connect();
      proxy.blackHole();
      CompletableFuture<List<ScriptReply>> run =
          CompletableFuture.supplyAsync(
              () -> connection.run(List.of(ConnectionScene.call(ConnectionScene.ECHO, "k", "v"))));
      assertThatThrownBy(() -> run.get(300, TimeUnit.MILLISECONDS)).isNotNull();
      long before = System.nanoTime();
      connection.close();
      Exception failure = ConnectionScene.failure(run.get(5, TimeUnit.SECONDS).get(0));
      Figure.since(before, Duration.ofMillis(100), "redis: closing broke off a call");
      assertThat(failure).isInstanceOf(EngineException.Unknown.class);
      assertThat(
              ConnectionScene.failure(
                  connection
                      .run(List.of(ConnectionScene.call(ConnectionScene.ECHO, "k", "v")))
                      .get(0)))
          .isInstanceOf(EngineException.NotDone.class);
    }
  }

  @Test
  void closing_breaks_off_connecting_too() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        ServerTopology topology =
            ConnectionScene.open("redis://127.0.0.1:" + proxy.port(), Duration.ofSeconds(30))) {
      LaneConnection connection = topology.connect();
      proxy.reset();
      connection.run(List.of(ConnectionScene.call(ConnectionScene.ECHO, "k", "v")));
      proxy.heal();
      proxy.blackHole();
      CompletableFuture<List<ScriptReply>> run =
          CompletableFuture.supplyAsync(
              () -> connection.run(List.of(ConnectionScene.call(ConnectionScene.ECHO, "k", "v"))));
      assertThatThrownBy(() -> run.get(300, TimeUnit.MILLISECONDS)).isNotNull();
      long before = System.nanoTime();
      connection.close();
      Exception failure = ConnectionScene.failure(run.get(5, TimeUnit.SECONDS).get(0));
      Figure.since(before, Duration.ofMillis(100), "redis: closing broke off connecting");
      assertThat(failure).isInstanceOf(EngineException.NotDone.class);
    }
  }

  @Test
  void a_line_that_swallows_answers_is_unknown_within_the_operation_timeout() throws Exception {
    Duration timeout = Duration.ofSeconds(1);
    try (FaultProxy proxy = FaultProxy.to(server.process());
        ServerTopology topology =
            ConnectionScene.open("redis://127.0.0.1:" + proxy.port(), timeout);
        LaneConnection connection = topology.connect()) {
      connection.run(List.of(ConnectionScene.call(ConnectionScene.INCREMENT, "swallowed")));
      server.call("DEL", "swallowed");
      proxy.passOnly(Direction.REQUESTS);
      long before = System.nanoTime();
      ScriptReply reply =
          connection
              .run(List.of(ConnectionScene.call(ConnectionScene.INCREMENT, "swallowed")))
              .get(0);
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(timeout);
      assertThat(ConnectionScene.failure(reply)).isInstanceOf(EngineException.Unknown.class);
      assertThat(server.call("GET", "swallowed")).isEqualTo("1");
      proxy.heal();
      assertThat(
              ConnectionScene.value(
                  connection
                      .run(List.of(ConnectionScene.call(ConnectionScene.INCREMENT, "swallowed")))
                      .get(0)))
          .isEqualTo(2L);
    }
  }

  @Test
  void a_refused_connection_is_not_done() throws Exception {
    RedisServer other = RedisServer.start();
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(other));
        LaneConnection connection = topology.connect()) {
      other.close();
      assertThat(
              ConnectionScene.failure(
                  connection
                      .run(List.of(ConnectionScene.call(ConnectionScene.ECHO, "k", "v")))
                      .get(0)))
          .isInstanceOf(EngineException.Unknown.class);
      assertThat(
              ConnectionScene.failure(
                  connection
                      .run(List.of(ConnectionScene.call(ConnectionScene.ECHO, "k", "v")))
                      .get(0)))
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("refused")
          .hasMessageContaining(":" + other.port());
      assertThatThrownBy(topology::connect).isInstanceOf(EngineException.NotDone.class);
    }
  }

  @Test
  void a_wrong_password_is_refused_and_not_repeated() {
    try (RedisServer locked =
        RedisServer.start(RedisServerOptions.PLAIN.withPassword("right-one"))) {
      for (String login : List.of(":wr0ng-one@", "somebody:wr0ng-one@", "")) {
        try (ServerTopology topology =
            ConnectionScene.open("redis://" + login + "127.0.0.1:" + locked.port())) {
          assertThatThrownBy(topology::connect)
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
    try (ServerTopology topology =
        ConnectionScene.open("redis://:pa55@127.0.0.1:" + server.port())) {
      assertThatThrownBy(topology::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageNotContaining("pa55");
    }
  }

  @Test
  void the_right_password_and_database_are_used() throws Exception {
    try (RedisServer locked =
            RedisServer.start(
                RedisServerOptions.PLAIN.withUser("app", "pass word", "~*", "&*", "+@all"));
        ServerTopology topology =
            ConnectionScene.open("redis://app:pass%20word@127.0.0.1:" + locked.port() + "/3");
        LaneConnection connection = topology.connect()) {
      connection.run(List.of(ConnectionScene.call(ConnectionScene.INCREMENT, "here")));
      assertThat(locked.call("EXISTS", "here")).isEqualTo("0");
      assertThat(locked.call("INFO", "keyspace")).contains("db3:keys=1");
    }
  }

  @Test
  void a_database_that_there_is_not_is_refused() {
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server) + "/99")) {
      assertThatThrownBy(topology::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("DB index");
    }
  }

  @Test
  void a_replica_is_not_used_and_found_anew_when_it_is_the_master() throws Exception {
    try (RedisServer other = RedisServer.start();
        ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(other));
        LaneConnection connection = topology.connect()) {
      other.replicate(server);
      other.awaitInSync(server);
      assertThat(
              ConnectionScene.failure(
                  connection
                      .run(List.of(ConnectionScene.call(ConnectionScene.INCREMENT, "n")))
                      .get(0)))
          .isInstanceOf(EngineException.class);
      assertThat(
              ConnectionScene.failure(
                  connection
                      .run(List.of(ConnectionScene.call(ConnectionScene.INCREMENT, "n")))
                      .get(0)))
          .isInstanceOf(EngineException.NotDone.class);
      other.call("REPLICAOF", "NO", "ONE");
      assertThat(
              ConnectionScene.value(
                  connection
                      .run(List.of(ConnectionScene.call(ConnectionScene.INCREMENT, "n")))
                      .get(0)))
          .isInstanceOf(Long.class);
    }
  }

  @Test
  void replicas_are_asked_for_calls_that_want_it() throws Exception {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = RedisServer.start(RedisServerOptions.PLAIN.replicaOf(master))) {
      replica.awaitInSync(master);
      try (ServerTopology topology =
              ConnectionScene.open(
                  ConnectionScene.uri(master) + "?minReplicas=1&replicaTimeout=1s");
          LaneConnection connection = topology.connect()) {
        ScriptCall plain = ConnectionScene.call(ConnectionScene.INCREMENT, "n");
        ScriptCall acknowledged = new ScriptCall(plain.script(), plain.keys(), plain.args(), true);
        assertThat(((ScriptReply.Value) connection.run(List.of(plain)).get(0)).replicas())
            .isEqualTo(ScriptReply.NOT_ASKED);
        // A replica that has just come counts only after its first sign of life, within a second.
        Await.until(
            "one replica",
            ConnectionScene.BOUND,
            () ->
                ((ScriptReply.Value) connection.run(List.of(acknowledged)).get(0)).replicas() == 1);
        ScriptCall fresh =
            new ScriptCall(ConnectionScene.fresh(), plain.keys(), plain.args(), true);
        assertThat(
                ((ScriptReply.Value) connection.run(List.of(fresh, acknowledged)).get(1))
                    .replicas())
            .isEqualTo(1);
      }
    }
  }
}
