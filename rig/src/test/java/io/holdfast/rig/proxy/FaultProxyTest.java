package io.holdfast.rig.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FaultProxyTest {
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
  class Healthy {
    @Test
    void passes_bytes_both_ways_and_counts_them() throws IOException {
      bench.connect().assertEcho("hello");
      bench.connect().assertEcho("you");
      bench.awaitCounts(counts -> counts.equals(new ProxyCounts(2, 2, 8, 8, 0, 0)));
    }

    @Test
    void passes_much_and_the_end_of_the_stream() throws IOException {
      byte[] much = new byte[5_000_000];
      new Random(1).nextBytes(much);
      ProxyClient client = bench.connect();
      Thread sender =
          new Thread(
              () -> {
                try {
                  client.send(much);
                  client.endOutput();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      sender.start();
      assertThat(client.readToEnd()).isEqualTo(much);
      bench.awaitCounts(counts -> counts.open() == 0);
    }

    @Test
    void resets_clients_while_the_server_is_down() throws IOException {
      server.close();
      bench.connect().assertReset();
      try (EchoServer next = new EchoServer(server.address().getPort())) {
        bench.connect().assertEcho("up");
        assertThat(next.received()).isEqualTo("up");
      }
    }
  }

  @Nested
  class Cut {
    @Test
    void closes_connections_and_refuses_new_ones_until_healed() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.cut();
      client.assertEnd();
      assertThatThrownBy(bench::connect).isInstanceOf(ConnectException.class);
      proxy.heal();
      bench.connect().assertEcho("b");
    }
  }

  @Nested
  class Delay {
    @Test
    void both_ways_and_without_adding_up() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.delay(Duration.ofMillis(100), Duration.ZERO, 1);
      long start = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        client.send("x");
        pace();
      }
      assertThat(client.read(20)).isEqualTo("x".repeat(20));
      assertThat(millisSince(start)).isBetween(200L, 3_000L);
      proxy.heal();
      client.assertEcho("b");
    }

    @Test
    void keeps_the_order_however_the_jitter_falls() throws IOException {
      ProxyClient client = bench.connect();
      proxy.delay(Duration.ZERO, Duration.ofMillis(30), 42);
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 26; i++) {
        text.append((char) ('a' + i));
        client.send(text.substring(i));
        pace();
      }
      assertThat(client.read(26)).isEqualTo(text.toString());
    }

    @Test
    void one_seed_is_one_series() {
      ProxyFault fault = new ProxyFault.Delay(Duration.ofMillis(10), Duration.ofMillis(5), 7);
      ActiveFault one = ActiveFault.of(fault);
      ActiveFault other = ActiveFault.of(fault);
      for (int i = 0; i < 100; i++) {
        assertThat(one.nextDelayNanos())
            .isEqualTo(other.nextDelayNanos())
            .isBetween(10_000_000L, 15_000_000L);
      }
    }

    /** Lets the piece reach the proxy on its own, not together with the next one. */
    private void pace() {
      long sent = System.nanoTime();
      Await.until("the next turn", BOUND, () -> System.nanoTime() - sent > 4_000_000);
    }
  }

  @Nested
  class Reset {
    @Test
    void resets_what_is_open_and_nothing_else() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.reset();
      client.assertReset();
      bench.connect().assertEcho("b");
    }

    @Test
    void instead_of_a_reply_after_the_server_did_the_work() throws IOException {
      proxy.apply(Direction.REPLIES, new ProxyFault.Reset());
      ProxyClient client = bench.connect();
      client.send("work");
      client.assertReset();
      bench.awaitReceived("work");
    }

    @Test
    void instead_of_a_request() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.apply(Direction.REQUESTS, new ProxyFault.Reset());
      client.send("work");
      client.assertReset();
      assertThat(server.received()).isEqualTo("a");
    }
  }

  @Nested
  class Truncate {
    @Test
    void a_reply_in_the_middle() throws IOException {
      ProxyClient client = bench.connect();
      client.assertEcho("a");
      proxy.truncate(Direction.REPLIES, 3);
      client.send("hello");
      assertThat(client.readToEnd()).asString().isEqualTo("hel");
      ProxyClient next = bench.connect();
      next.send("again");
      assertThat(next.readToEnd()).asString().isEqualTo("aga");
    }

    @Test
    void a_request_in_the_middle() throws IOException {
      proxy.truncate(Direction.REQUESTS, 2);
      ProxyClient client = bench.connect();
      client.send("hello");
      bench.awaitReceived("he");
      bench.awaitCounts(counts -> counts.open() == 0);
      assertThat(server.received()).isEqualTo("he");
      bench.awaitCounts(counts -> counts.lostRequestBytes() == 3);
    }
  }

  @Test
  void close_ends_connections_and_is_idempotent() throws IOException {
    ProxyClient client = bench.connect();
    client.assertEcho("a");
    proxy.close();
    proxy.close();
    client.assertEnd();
    assertThatThrownBy(proxy::cut)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  private static long millisSince(long start) {
    return Duration.ofNanos(System.nanoTime() - start).toMillis();
  }
}
