package io.holdfast.rig.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The faults of a {@link FaultProxy} that a client cannot see: the line is open and silent. */
@Timeout(30)
class SilentFaultsTest {
  private static final Duration BOUND = Duration.ofSeconds(5);

  private ProxyBench bench;
  private EchoServer server;
  private FaultProxy proxy;

  @BeforeEach
  void start() throws IOException {
    bench = new ProxyBench();
    server = bench.server;
    proxy = bench.proxy;
  }

  @AfterEach
  void stop() throws IOException {
    bench.close();
  }

  @Nested
  class BlackHole {
    @Test
    void accepts_and_swallows_on_old_and_new_connections() throws IOException {
      ProxyClient old = bench.connect();
      old.assertEcho("a");
      proxy.blackHole();
      ProxyClient fresh = bench.connect();
      old.send("lost");
      fresh.send("gone");
      old.assertSilent();
      fresh.assertSilent();
      assertThat(server.received()).isEqualTo("a");
      bench.awaitCounts(counts -> counts.lostRequestBytes() == 8);
    }

    @Test
    void connections_with_a_hole_are_reset_when_healed_the_others_go_on() throws IOException {
      ProxyClient holed = bench.connect();
      ProxyClient whole = bench.connect();
      holed.assertEcho("a");
      whole.assertEcho("b");
      proxy.blackHole();
      holed.send("lost");
      bench.awaitCounts(counts -> counts.lostRequestBytes() == 4);
      proxy.heal();
      holed.assertReset();
      whole.assertEcho("c");
    }

    @Test
    void does_not_tell_that_the_server_is_gone() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.blackHole();
      server.close();
      client.assertSilent();
      bench.connect().assertSilent();
      client.send("more");
      client.assertSilent();
      bench.awaitCounts(counts -> counts.open() == 2);
    }

    @Test
    void loses_what_was_on_its_way() throws IOException {
      ProxyClient client = bench.connect();
      proxy.delay(BOUND, Duration.ZERO, 1);
      client.send("late");
      Await.until("the link", BOUND, () -> server.connections() == 1);
      proxy.blackHole();
      bench.awaitCounts(counts -> counts.lostRequestBytes() == 4);
      assertThat(server.received()).isEmpty();
    }
  }

  @Nested
  class OneWay {
    @Test
    void requests_arrive_and_replies_vanish() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.passOnly(Direction.REQUESTS);
      client.send("b");
      bench.awaitReceived("ab");
      client.assertSilent();
      bench.awaitCounts(counts -> counts.lostReplyBytes() == 1);
      server.close();
      client.assertSilent();
    }

    @Test
    void replies_arrive_and_requests_vanish() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.passOnly(Direction.REPLIES);
      client.send("b");
      server.push("news");
      assertThat(client.read(4)).isEqualTo("news");
      client.assertSilent();
      assertThat(server.received()).isEqualTo("a");
    }
  }

  @Nested
  class Hold {
    @Test
    void delivers_all_of_it_in_order_when_healed() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.hold();
      client.send("b");
      client.send("c");
      client.assertSilent();
      assertThat(server.received()).isEqualTo("a");
      proxy.heal();
      assertThat(client.read(2)).isEqualTo("bc");
      assertThat(proxy.counts().lostRequestBytes()).isZero();
    }

    @Test
    void a_request_arrives_after_its_sender_has_gone() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.apply(Direction.REQUESTS, new ProxyFault.Hold());
      client.send("late");
      client.close();
      assertThat(server.received()).isEqualTo("a");
      proxy.heal();
      bench.awaitReceived("alate");
    }

    @Test
    void keeps_the_news_of_a_broken_connection_too() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.hold();
      server.close();
      client.assertSilent();
      proxy.heal();
      client.assertEnd();
    }
  }
}
