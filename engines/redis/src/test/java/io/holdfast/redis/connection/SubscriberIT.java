package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SubscriberIT {

  private static RedisServer server;

  private final RememberedSignals heard = new RememberedSignals();

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void messages_come_once_the_channel_is_armed() {
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server));
        Subscription subscription = topology.subscribe(heard)) {
      subscription.add("one");
      subscription.add("two");
      heard.awaitArmed("one", 1);
      heard.awaitArmed("two", 1);
      server.call("PUBLISH", "two", "hello");
      heard.awaitMessage("two=hello");
      subscription.remove("two");
      Await.until(
          "nobody listens",
          ConnectionScene.BOUND,
          () -> server.call("PUBSUB", "NUMSUB", "two").endsWith("0"));
      assertThat(heard.timesLost("two")).isZero();
    }
  }

  @Test
  void removed_and_added_again_it_is_armed_again() {
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server));
        Subscription subscription = topology.subscribe(heard)) {
      subscription.add("again");
      heard.awaitArmed("again", 1);
      for (int i = 0; i < 100; i++) {
        subscription.remove("again");
        subscription.add("again");
      }
      heard.awaitArmed("again", 2);
      server.call("PUBLISH", "again", "hello");
      heard.awaitMessage("again=hello");
      assertThat(heard.timesLost("again")).isZero();
    }
  }

  @Test
  void a_broken_connection_heals_and_both_ends_of_the_gap_are_told_once() {
    try (ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(server));
        Subscription subscription = topology.subscribe(heard)) {
      subscription.add("one");
      subscription.add("two");
      heard.awaitArmed("one", 1);
      heard.awaitArmed("two", 1);
      server.call("CLIENT", "KILL", "TYPE", "pubsub");
      heard.awaitArmed("one", 2);
      heard.awaitArmed("two", 2);
      assertThat(heard.timesLost("one")).isEqualTo(1);
      assertThat(heard.timesLost("two")).isEqualTo(1);
      server.call("PUBLISH", "one", "back");
      heard.awaitMessage("one=back");
    }
  }

  @Test
  void a_server_that_is_down_for_a_while_is_one_gap() {
    try (RedisServer other = RedisServer.start();
        ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(other));
        Subscription subscription = topology.subscribe(heard)) {
      subscription.add("one");
      heard.awaitArmed("one", 1);
      other.process().kill9();
      Await.until("the gap", ConnectionScene.BOUND, () -> heard.timesLost("one") == 1);
      other.process().restart();
      heard.awaitArmed("one", 2);
      assertThat(heard.timesLost("one")).isEqualTo(1);
    }
  }

  @Test
  void a_connection_that_died_unnoticed_is_found() {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        ServerTopology topology =
            ConnectionScene.open("redis://127.0.0.1:" + proxy.port(), Duration.ofMillis(300));
        Subscription subscription = topology.subscribe(heard)) {
      subscription.add("one");
      heard.awaitArmed("one", 1);
      proxy.blackHole();
      Await.until("the gap", Duration.ofSeconds(3), () -> heard.timesLost("one") == 1);
      proxy.heal();
      heard.awaitArmed("one", 2);
    }
  }

  @Test
  void a_quiet_connection_is_not_taken_for_a_dead_one() {
    try (ServerTopology topology =
            ConnectionScene.open(ConnectionScene.uri(server), Duration.ofMillis(100));
        Subscription subscription = topology.subscribe(heard)) {
      subscription.add("quiet");
      heard.awaitArmed("quiet", 1);
      long pings = pings();
      Await.until("signs of life", ConnectionScene.BOUND, () -> pings() >= pings + 5);
      assertThat(heard.timesLost("quiet")).isZero();
      server.call("PUBLISH", "quiet", "still");
      heard.awaitMessage("quiet=still");
    }
  }

  private static long pings() {
    return server
        .call("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_ping:calls="))
        .mapToLong(line -> Long.parseLong(line.replaceAll("cmdstat_ping:calls=(\\d+),.*", "$1")))
        .sum();
  }

  @Test
  void the_thread_ends_with_the_subscription() {
    try (RedisServer other = RedisServer.start();
        ServerTopology topology = ConnectionScene.open(ConnectionScene.uri(other))) {
      Subscription listening = topology.subscribe(heard);
      listening.add("one");
      heard.awaitArmed("one", 1);
      Subscription idle = topology.subscribe(heard);
      Await.until("two threads", ConnectionScene.BOUND, () -> threads(other).size() == 2);
      threads(other).forEach(Thread::interrupt);
      listening.add("two");
      heard.awaitArmed("two", 1);
      listening.close();
      idle.close();
      listening.add("three");
      listening.remove("one");
      Await.until("no thread", ConnectionScene.BOUND, () -> threads(other).isEmpty());
      Await.until(
          "no connection",
          ConnectionScene.BOUND,
          () -> other.call("CLIENT", "LIST", "TYPE", "pubsub").isBlank());
    }
  }

  private static Set<Thread> threads(RedisServer of) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("holdfast-signals"))
        .filter(thread -> thread.getName().contains(":" + of.port()))
        .collect(Collectors.toSet());
  }
}
