package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.server.HttpCalls.Reply;
import io.holdfast.spi.Resource;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Locks for programs without a Holdfast client. */
@Timeout(60)
class HttpApiTest {

  private static final String NOW = "{}";

  private final World world = World.system();
  private final MemoryEngine engine = MemoryEngine.create(world::nanoTime, world::epochMicros);
  private LockServer server;
  private HttpCalls http;

  @TempDir Path folder;

  @BeforeEach
  void start() throws Exception {
    server = serve(folder.resolve("key"));
    http = new HttpCalls(server);
  }

  private LockServer serve(Path key) throws Exception {
    return LockServer.start(
        engine,
        HoldfastOptions.DEFAULTS,
        ServerOptions.DEFAULTS.withPort(0).withKeyFile(key),
        world);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String wait(Duration time) {
    return "{\"order\":\"FIFO\",\"wait\":" + time.toMillis() + "}";
  }

  private static String again(String ticket, Duration time) {
    return "{\"ticket\":\"" + ticket + "\",\"wait\":" + time.toMillis() + "}";
  }

  private static Reply expect(int status, Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    return reply;
  }

  @Test
  void acquireRenewRelease() throws Exception {
    Reply granted = expect(200, http.acquire("orders", "{\"owner\":\"cron\",\"lease\":20000}"));
    assertThat(granted.number("token")).isPositive();
    assertThat(granted.number("validFor")).isBetween(19_000L, 20_000L);
    Reply busy = expect(423, http.acquire("orders", NOW));
    assertThat(busy.type()).isEqualTo("application/problem+json");
    assertThat(busy.text("type")).isEqualTo("urn:holdfast:problem:busy");
    assertThat(busy.retryAfter()).isEqualTo("1");
    assertThat(busy.text("owner")).contains("cron");
    String ticket = granted.text("ticket");
    assertThat(http.renew(ticket).text("state")).isEqualTo("RENEWED");
    assertThat(expect(200, http.release(ticket)).text("state")).isEqualTo("HOLDING");
    assertThat(expect(200, http.release(ticket)).text("state")).isEqualTo("NOTHING");
    Reply gone = expect(200, http.renew(ticket));
    assertThat(gone.text("state")).isEqualTo("GONE");
    Reply next = expect(200, http.acquire("orders", NOW));
    assertThat(next.number("token")).isGreaterThan(granted.number("token"));
  }

  @Test
  void aRepeatedAcquireReturnsTheSameToken() throws Exception {
    Reply granted = expect(200, http.acquire("orders", NOW));
    Reply repeated =
        expect(200, http.acquire("orders", again(granted.text("ticket"), Duration.ZERO)));
    assertThat(repeated.text("token")).isEqualTo(granted.text("token"));
  }

  /** The poll ends a second before the client would give up, and the place in line is kept. */
  @Test
  void aLongPollEndsEarlyAndKeepsThePlace() throws Exception {
    String held = expect(200, http.acquire("line", wait(Duration.ZERO))).text("ticket");
    long start = System.nanoTime();
    Reply first = expect(202, http.acquire("line", wait(Duration.ofSeconds(3))));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    assertThat(first.number("ahead")).isEqualTo(1);
    Reply second = expect(202, http.acquire("line", wait(Duration.ofMillis(500))));
    http.release(held);
    Reply stillSecond =
        expect(202, http.acquire("line", again(second.text("ticket"), Duration.ZERO)));
    assertThat(stillSecond.number("ahead")).isEqualTo(1);
    expect(200, http.acquire("line", again(first.text("ticket"), Duration.ZERO)));
  }

  @Test
  void aLongPollEndsWithTheRelease() throws Exception {
    String held = expect(200, http.acquire("wakes", NOW)).text("ticket");
    CompletableFuture<Reply> waiting =
        http.postAsync("/v1/locks/wakes/acquire", "{\"wait\":25000,\"lease\":30000}");
    Reply still = expect(202, http.acquire("wakes", "{\"wait\":2000}"));
    assertThat(waiting).isNotDone();
    http.release(still.text("ticket"));
    long start = System.nanoTime();
    http.release(held);
    Reply granted = expect(200, waiting.get());
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    assertThat(granted.number("validFor")).isGreaterThan(30_000L);
  }

  @Test
  void aTicketWorksAtEachServerWithTheSameKey() throws Exception {
    String ticket = expect(200, http.acquire("orders", NOW)).text("ticket");
    try (LockServer other = serve(folder.resolve("key"))) {
      assertThat(new HttpCalls(other).renew(ticket).text("state")).isEqualTo("RENEWED");
    }
    try (LockServer stranger = serve(folder.resolve("another"))) {
      Reply refused = expect(400, new HttpCalls(stranger).renew(ticket));
      assertThat(refused.body()).doesNotContain(ticket);
    }
    assertThat(Files.getPosixFilePermissions(folder.resolve("key")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aTicketThatWasChangedIsNone() throws Exception {
    String ticket = expect(200, http.acquire("orders", NOW)).text("ticket");
    for (int i = 0; i < ticket.length(); i += 7) {
      char other = ticket.charAt(i) == 'A' ? 'B' : 'A';
      String changed = ticket.substring(0, i) + other + ticket.substring(i + 1);
      expect(400, http.renew(changed));
    }
    expect(400, http.acquire("another", again(ticket, Duration.ZERO)));
  }

  @Test
  void semaphoresAndReadWriteLocks() throws Exception {
    String permits = "{\"kind\":\"semaphore\",\"capacity\":2}";
    expect(200, http.acquire("permits", permits));
    expect(200, http.acquire("permits", permits));
    expect(423, http.acquire("permits", permits));
    String read = "{\"kind\":\"read_write\"}";
    String ticket = expect(200, http.acquire("table", read)).text("ticket");
    expect(200, http.acquire("table", read));
    expect(423, http.acquire("table", "{\"kind\":\"read_write\",\"exclusive\":true}"));
    http.release(ticket);
    Reply refused = expect(409, http.acquire("table", NOW));
    assertThat(refused.text("detail")).contains("table", "read/write lock");
  }

  @ParameterizedTest
  @CsvSource({"orders/42", "orders%2F42", "a%25b", "%C3%BC", "a//b"})
  void namesOfLocks(String path) throws Exception {
    String ticket = expect(200, http.acquire(path, NOW)).text("ticket");
    Reply released = http.release(ticket);
    assertThat(released.text("name"))
        .isEqualTo(path.replace("%2F", "/").replace("%25", "%").replace("%C3%BC", "\u00fc"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/locks/a/acquire | {\"lease\":1000} | 409 | at least 5 s",
        "/v1/locks/a/acquire | {\"lease\":\"long\"} | 400 | lease must be a whole number",
        "/v1/locks/a/acquire | {\"wait\":25001} | 400 | wait must be 0..25000",
        "/v1/locks/a/acquire | {\"kind\":\"door\"} | 400 | kind must be one of",
        "/v1/locks/a/acquire | {\"namespace\":\"A B\"} | 400 | namespace must match",
        "/v1/locks/a/acquire | [] | 400 | must be a JSON object",
        "/v1/locks/a/acquire | {\"a\":1,\"a\":2} | 400 | not JSON",
        "/v1/locks/a/acquire | { | 400 | not JSON",
        "/v1/tickets/renew | {} | 400 | tickets is missing",
        "/v1/tickets/renew | {\"tickets\":[]} | 400 | tickets must be 1..128",
        "/v1/tickets/renew | {\"tickets\":[7]} | 400 | tickets must be a list of texts",
        "/v1/tickets/release | {\"tickets\":[\"pencil\"]} | 400 | not made by this service",
        "/v1/verbs | {\"verbs\":[]} | 400 | verbs must be 1..128",
        "/v1/verbs | {\"verbs\":[{\"verb\":\"renew\"}]} | 400 | verbs[0].ticket is missing",
        "/v1/nothing | {} | 404 | /v1/nothing"
      })
  void whatIsWrongIsNamed(String path, String body, int status, String detail) throws Exception {
    Reply reply = expect(status, http.post(path, body));
    assertThat(reply.type()).startsWith("application/problem+json");
    assertThat(reply.body()).contains(detail).doesNotContain("pencil");
  }

  @Test
  void wrongMethodsAndTypes() throws Exception {
    URI uri = URI.create(server.address() + "/v1/locks/a/acquire");
    expect(405, http.send(HttpRequest.newBuilder(uri).GET().build()).get());
    expect(
        415,
        http.send(
                HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString("{}")).build())
            .get());
  }

  @Test
  void requestsAfterBodiesThatAreTooLong() throws Exception {
    URI uri = URI.create(server.address() + "/v1/locks/a/acquire");
    byte[] endless = new byte[(1 << 20) + 1];
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(endless)))
            .build();
    String owner = "x".repeat(1 << 20);
    for (int i = 0; i < 100; i++) {
      expect(413, http.acquire("a", "{\"owner\":\"" + owner + "\"}"));
      expect(413, http.send(request).get());
      expect(200, http.acquire("a" + i, NOW));
    }
  }

  /** Browsers let any page send requests to this machine. */
  @Test
  void pagesOfOthersAreTurnedAway() throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.address() + "/v1/locks/a/acquire"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{}"));
    expect(403, http.send(request.copy().header("Origin", "http://example.org").build()).get());
    expect(200, http.send(request.copy().header("Origin", server.address()).build()).get());
    String reply = raw("POST /v1/locks/b/acquire HTTP/1.1\r\nHost: example.org\r\n\r\n");
    assertThat(reply).contains(" 403 ");
  }

  private String raw(String request) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] head = socket.getInputStream().readNBytes(16);
      return new String(head, StandardCharsets.US_ASCII);
    }
  }

  /** Nobody else knows the ticket of a request without one, so it would block for a lease. */
  @Test
  void aTicketThatNobodyLearnedOfIsLeft() throws Exception {
    String held = expect(200, http.acquire("lost", NOW)).text("ticket");
    String body = "{\"wait\":25000,\"lease\":600000}";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      // Closing resets the connection, as the end of a machine or a firewall does.
      socket.setSoLinger(true, 0);
      socket
          .getOutputStream()
          .write(
              ("POST /v1/locks/lost/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type:"
                      + " application/json\r\nContent-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body)
                  .getBytes(StandardCharsets.US_ASCII));
      awaitTickets("lost", 2);
    }
    http.release(held);
    Reply next = http.acquire("lost", "{\"wait\":20000}");
    expect(200, next);
  }

  /** With it, it goes on at another server. */
  @Test
  void aClientThatWaitsGetsItsTicketWhenTheServerStops() throws Exception {
    expect(200, http.acquire("stop", NOW));
    CompletableFuture<Reply> waiting =
        http.postAsync(
            "/v1/locks/stop/acquire", wait(Duration.ofSeconds(25)).replace("FIFO", "ANY"));
    awaitTickets("stop", 2);
    server.close();
    assertThat(expect(503, waiting.get(20, TimeUnit.SECONDS)).text("ticket")).isNotNull();
  }

  private void awaitTickets(String name, int count) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    var inspector = engine.inspector().orElseThrow();
    while (inspector
            .show(new Resource("default", name))
            .map(line -> line.tickets().size())
            .orElse(0)
        != count) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
