package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.rig.servers.TestCertificates;
import io.holdfast.rig.time.Await;
import io.holdfast.server.security.BearerToken;
import io.holdfast.server.settings.Limits;
import io.holdfast.server.settings.TlsSettings;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.wire.Query;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server with an auth file, over real requests. */
@Timeout(60)
class SecuredServerTest {

  private static final String NOW = "{}";
  private static final String WAIT = "{\"wait\":1100}";
  private static final Duration LONG = Duration.ofSeconds(20);

  private final World world = World.system();
  private final MemoryEngine engine = MemoryEngine.create(world::nanoTime, world::epochMicros);
  private final BearerToken locker = BearerToken.create();
  private final BearerToken looker = BearerToken.create();
  private final BearerToken ops = BearerToken.create();
  private final BearerToken counter = BearerToken.create();
  private LockServer server;

  @TempDir Path folder;

  @BeforeEach
  void writeAuthFile() throws Exception {
    write(
        locker.line("locker"),
        looker.line("looker"),
        ops.line("ops"),
        counter.line("counter"),
        "allow locker  lock    default orders/*",
        "allow looker  look    default orders/*",
        "allow ops     operate default *",
        "allow ops     lock    default orders/*",
        "allow counter count   default orders/*");
  }

  private void write(String... lines) throws Exception {
    Path draft = Files.write(folder.resolve("auth.new"), List.of(lines));
    Files.move(draft, folder.resolve("auth"), StandardCopyOption.REPLACE_EXISTING);
  }

  private ServerOptions options() {
    return ServerOptions.DEFAULTS
        .withPort(0)
        .withAuthFile(folder.resolve("auth"))
        .withKeyFile(folder.resolve("key"))
        .withAuditFile(folder.resolve("audit"));
  }

  private void start(ServerOptions options) throws Exception {
    server = LockServer.start(engine, HoldfastOptions.DEFAULTS, options, world);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private HttpCalls http(BearerToken token) {
    return new HttpCalls(server, token.secret());
  }

  private static HttpCalls.Reply expect(int status, HttpCalls.Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    if (status >= 400) {
      assertThat(reply.type()).isEqualTo("application/problem+json");
      assertThat(reply.number("status")).isEqualTo(status);
    }
    return reply;
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/locks/orders/acquire, {}",
    "/v1/tickets/renew, '{\"tickets\":[\"x\"]}'",
    "/v1/tickets/release, '{\"tickets\":[\"x\"]}'",
    "/v1/verbs, '{\"verbs\":[]}'",
    "/v1/nothing, {}"
  })
  void withoutAValidTokenEveryRequestIs401(String path, String body) throws Exception {
    start(options());
    HttpCalls.Reply missing = expect(401, new HttpCalls(server).post(path, body));
    assertThat(missing.authenticate()).isEqualTo("Bearer realm=\"holdfast\"");
    assertThat(missing.text("type")).isEqualTo("urn:holdfast:problem:unauthenticated");
    HttpCalls.Reply wrong = expect(401, http(BearerToken.create()).post(path, body));
    assertThat(wrong.authenticate()).contains("invalid_token");
  }

  @Test
  void withoutAValidTokenThereIsNoConnection() throws Exception {
    start(options());
    assertThat(handshake(() -> new WireClient(server))).isEqualTo(401);
    assertThat(handshake(() -> new WireClient(server, BearerToken.create().secret())))
        .isEqualTo(401);
    try (WireClient known = new WireClient(server, looker.secret())) {
      assertThat(known.hello.get().leaseFloor()).isEqualTo(Duration.ofSeconds(5));
    }
  }

  private interface Connecting {
    WireClient connect() throws Exception;
  }

  private static int handshake(Connecting connecting) throws Exception {
    try (WireClient connected = connecting.connect()) {
      throw new AssertionError("it is connected");
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(WebSocketHandshakeException.class);
      return ((WebSocketHandshakeException) e.getCause()).getResponse().statusCode();
    }
  }

  /** Each right over real requests: what it allows, and that it allows nothing else. */
  @ParameterizedTest
  @CsvSource({
    "locker,  true,  false, false, false",
    "looker,  false, true,  false, false",
    "ops,     true,  false, true,  false",
    "counter, false, false, false, true"
  })
  void rights(String who, boolean locks, boolean looks, boolean operates, boolean counts)
      throws Exception {
    start(options());
    BearerToken token =
        switch (who) {
          case "locker" -> locker;
          case "looker" -> looker;
          case "ops" -> ops;
          default -> counter;
        };
    expect(locks ? 200 : 403, http(token).acquire("orders/1", NOW));
    expect(403, http(token).acquire("stock/1", NOW));
    String id = "00000000000000010000000000000002-3";
    HttpCalls.Reply verb =
        expect(
            200,
            http(token)
                .post(
                    "/v1/verbs",
                    "{\"verbs\":[{\"verb\":\"attempt\",\"ticket\":{\"id\":\""
                        + id
                        + "\",\"name\":\"orders/2\"}}]}"));
    assertThat(verb.text("reply")).isEqualTo(locks ? "granted" : "problem");
    if (!locks) {
      assertThat(verb.text("status")).isEqualTo("403");
    }
    Ticket held = WireClient.ticket("orders/3");
    Standing.Granted granted = (Standing.Granted) engine.attempt(held, () -> {});
    Resource name = held.resource();
    try (WireClient client = new WireClient(server, token.secret())) {
      assertThat(client.attempt(WireClient.ticket("orders/4")) instanceof Reply.OfAttempt)
          .isEqualTo(locks);
      check(client, looks, new Query.ListLines("default", "orders/", "", 10));
      check(client, looks, new Query.Show(name));
      check(client, operates, new Query.Take(name, granted.token(), "stuck", false));
      check(client, operates, new Query.Take(name, granted.token(), "stuck", true));
      Resource numbers = new Resource("default", "orders/ids");
      check(client, counts, new Query.Count(new Counter.Ask(numbers, 10, 0, false)));
      check(client, false, new Query.Show(new Resource("default", "stock/1")));
      check(client, false, new Query.Show(new Resource("other", "orders/1")));
      check(client, false, new Query.ListLines("other", "", "", 10));
    }
  }

  private static void check(WireClient client, boolean isAllowed, Query query) throws Exception {
    if (isAllowed) {
      client.ask(query);
    } else {
      assertThatThrownBy(() -> client.ask(query))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("does not have the right");
    }
  }

  /** The pages of the store have other names between those that the client may see. */
  @Test
  void aListingHasWhatTheClientMaySee() throws Exception {
    start(options());
    for (int i = 0; i < 10; i++) {
      engine.attempt(WireClient.ticket("orders/" + i), () -> {});
      engine.attempt(WireClient.ticket("a-stock/" + i), () -> {});
      engine.attempt(WireClient.ticket("stock/" + i), () -> {});
    }
    try (WireClient client = new WireClient(server, looker.secret())) {
      List<LineView> first = Query.readLines(client.ask(new Query.ListLines("default", "", "", 6)));
      assertThat(first).hasSize(6).allMatch(line -> line.resource().name().startsWith("orders/"));
      List<LineView> second =
          Query.readLines(client.ask(new Query.ListLines("default", "", "orders/5", 6)));
      assertThat(second)
          .extracting(line -> line.resource().name())
          .containsExactly("orders/6", "orders/7", "orders/8", "orders/9");
    }
  }

  /** With generation 127, all later clients with a lower one would be refused for good. */
  @Test
  void aClientCannotLockOthersOutWithItsGeneration() throws Exception {
    start(options());
    try (WireClient client = new WireClient(server, locker.secret());
        WireClient operator = new WireClient(server, ops.secret())) {
      Ticket weapon = WireClient.ticket("orders/1", Duration.ofSeconds(30), 127);
      assertThat(failure(client.attempt(weapon)))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("operate");
      assertThat(client.attempt(WireClient.ticket("orders/1"))).isInstanceOf(Reply.OfAttempt.class);
      assertThat(operator.attempt(WireClient.ticket("orders/2", Duration.ofSeconds(30), 5)))
          .isInstanceOf(Reply.OfAttempt.class);
    }
  }

  private static EngineException failure(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Failed.class);
    return ((Reply.Failed) reply).failure();
  }

  @Test
  void everybodySeesThePrincipalOfAHolder() throws Exception {
    start(options());
    expect(200, http(locker).acquire("orders/1", "{\"owner\":\"principal ops\"}"));
    HttpCalls.Reply busy = expect(423, http(ops).acquire("orders/1", NOW));
    assertThat(busy.text("owner")).contains("(principal locker; principal ops)");
    try (WireClient client = new WireClient(server, locker.secret())) {
      client.attempt(WireClient.ticket("orders/2"));
    }
    assertThat(expect(423, http(ops).acquire("orders/2", "{\"order\":\"FIFO\"}")).text("owner"))
        .contains("(principal locker)");
  }

  @Test
  void aTicketIsOfUseToItsPrincipalAloneAndCanBeReleasedWithoutTheRight() throws Exception {
    start(options());
    String ticket = expect(200, http(locker).acquire("orders/1", NOW)).text("ticket");
    expect(403, http(ops).renew(ticket));
    expect(403, http(ops).release(ticket));
    write(locker.line("locker"), "allow locker lock default stock/*");
    Await.until(
        "the right is gone",
        LONG,
        () -> "PROBLEM".equals(unchecked(() -> http(locker).renew(ticket)).text("state")));
    expect(403, http(locker).acquire("orders/1", NOW));
    assertThat(expect(200, http(locker).release(ticket)).text("state")).isEqualTo("HOLDING");
  }

  private interface Calling<T> {
    T call() throws Exception;
  }

  private static <T> T unchecked(Calling<T> calling) {
    try {
      return calling.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The reply is not final: the client connects again with the token that it has now. */
  @Test
  void aConnectionWhoseTokenWasRemovedEnds() throws Exception {
    start(options());
    try (WireClient client = new WireClient(server, locker.secret());
        WireClient other = new WireClient(server, ops.secret())) {
      Ticket ticket = WireClient.ticket("orders/1");
      client.attempt(ticket);
      write(ops.line("ops"), "allow ops lock default orders/*");
      Await.until(
          "the token is not valid",
          LONG,
          () -> unchecked(() -> http(locker).acquire("orders/9", NOW)).status() == 401);
      assertThat(failure(client.call(new VerbMessage.Renew(ticket))))
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("not valid any more");
      assertThat(client.closed.get(20, TimeUnit.SECONDS)).isEqualTo(1001);
      assertThat(other.attempt(WireClient.ticket("orders/2"))).isInstanceOf(Reply.OfAttempt.class);
    }
  }

  @Test
  void aboveTheLimitOfWaitingTicketsRenewalsAndReleasesPass() throws Exception {
    start(options().withLimits(new Limits(10, 1, 10_000, 1 << 20)));
    String held = expect(200, http(locker).acquire("orders/1", WAIT)).text("ticket");
    String first = expect(202, http(locker).acquire("orders/1", WAIT)).text("ticket");
    HttpCalls.Reply refused = expect(429, http(locker).acquire("orders/1", WAIT));
    assertThat(refused.retryAfter()).isEqualTo("1");
    assertThat(refused.text("detail")).contains("principal \"locker\"", "waiting");
    expect(202, http(ops).acquire("orders/1", WAIT));
    assertThat(http(locker).renew(held).text("state")).isEqualTo("RENEWED");
    assertThat(http(locker).release(held).text("state")).isEqualTo("HOLDING");
    String again = "{\"wait\":1100,\"ticket\":\"" + first + "\"}";
    expect(200, http(locker).acquire("orders/1", again));
    expect(202, http(locker).acquire("orders/1", WAIT));
  }

  @Test
  void aConnectionAboveTheLimitRenewsAndReleasesOnly() throws Exception {
    start(options().withLimits(new Limits(1, 10, 10_000, 1 << 20)));
    try (WireClient first = new WireClient(server, locker.secret());
        WireClient second = new WireClient(server, locker.secret());
        WireClient others = new WireClient(server, ops.secret())) {
      Ticket ticket = WireClient.ticket("orders/1");
      first.attempt(ticket);
      assertThat(failure(second.attempt(WireClient.ticket("orders/2"))))
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("connections");
      assertThat(((Reply.OfRenew) second.call(new VerbMessage.Renew(ticket))).renewal())
          .isInstanceOf(Renewal.Renewed.class);
      assertThat(second.call(new VerbMessage.Leave(ticket, true)))
          .isEqualTo(new Reply.OfLeave(Left.HOLDING));
      assertThat(handshake(() -> new WireClient(server, locker.secret()))).isEqualTo(429);
      others.attempt(WireClient.ticket("orders/3"));
      first.close();
      second.close();
      Await.until("their room is free", LONG, () -> server.connections() == 1);
    }
    try (WireClient next = new WireClient(server, locker.secret())) {
      assertThat(next.attempt(WireClient.ticket("orders/4"))).isInstanceOf(Reply.OfAttempt.class);
    }
  }

  @Test
  void theAuditSaysWhoDidWhat() throws Exception {
    start(options());
    String first = expect(200, http(locker).acquire("orders/1", NOW)).text("ticket");
    http(locker).renew(first);
    http(locker).release(first);
    expect(403, http(looker).acquire("orders/2", NOW));
    expect(401, new HttpCalls(server).acquire("orders/3", NOW));
    HttpCalls.Reply stuck = expect(200, http(locker).acquire("orders/4", NOW));
    try (WireClient operator = new WireClient(server, ops.secret())) {
      Resource name = new Resource("default", "orders/4");
      operator.ask(new Query.Take(name, stuck.number("token"), "it is stuck", true));
    }
    server.close();
    List<String> lines = Files.readAllLines(folder.resolve("audit"));
    assertThat(lines).hasSize(6);
    assertThat(lines.get(0)).contains("\"granted\"", "\"locker\"", "\"orders/1\"");
    assertThat(lines.get(1)).contains("\"released\"", "\"locker\"", "\"orders/1\"");
    assertThat(lines.get(2)).contains("\"denied\"", "\"looker\"", "\"orders/2\"", "403");
    assertThat(lines.get(3)).contains("\"denied\"", "\"unknown\"", "401", "127.0.0.1");
    assertThat(lines.get(4)).contains("\"granted\"", "\"locker\"", "\"orders/4\"");
    assertThat(lines.get(5))
        .contains("\"evicted\"", "\"ops\"", "\"orders/4\"", "it is stuck", stuck.text("token"));
  }

  @Test
  void theAuditIsShownInPagesToThoseWhoMaySeeIt() throws Exception {
    write(
        locker.line("locker"),
        looker.line("looker"),
        ops.line("ops"),
        "allow locker lock * *",
        "allow looker look default orders/*",
        "allow ops    look * *");
    start(options());
    for (String name : List.of("orders/1", "stock/1", "orders/2")) {
      expect(200, http(locker).acquire(name, NOW));
    }
    expect(401, new HttpCalls(server).acquire("orders/3", NOW));
    Await.until(
        "all is written", LONG, () -> audit(ops, "").body().split("\"number\"", -1).length == 5);
    assertThat(audit(ops, "").body()).contains("stock/1", "denied");
    assertThat(audit(looker, "").body())
        .contains("orders/1", "orders/2")
        .doesNotContain("stock/1")
        .doesNotContain("denied");
    HttpCalls.Reply newest = audit(ops, "?what=granted&prefix=orders/&limit=1");
    assertThat(newest.body()).contains("orders/2").doesNotContain("orders/1");
    HttpCalls.Reply next =
        audit(ops, "?what=granted&prefix=orders/&limit=1&before=" + newest.text("next"));
    assertThat(next.body()).contains("orders/1").doesNotContain("orders/2");
    expect(400, http(ops).get("/v1/audit?limit=0"));
    expect(400, http(ops).get("/v1/audit?what=everything"));
    expect(403, http(locker).get("/v1/audit"));
  }

  private HttpCalls.Reply audit(BearerToken token, String query) {
    return expect(200, unchecked(() -> http(token).get("/v1/audit" + query)));
  }

  @Test
  void operatorsSeeThatAFileIsWrong() throws Exception {
    start(options());
    HttpCalls.Reply store = expect(200, http(looker).get("/v1/store"));
    assertThat(store.text("store")).isEqualTo("memory:");
    assertThat(store.text("authenticates")).isEqualTo("true");
    assertThat(store.body()).contains("\"problems\":[]");
    expect(403, http(locker).get("/v1/store"));
    expect(401, new HttpCalls(server).get("/v1/store"));
    write("nonsense");
    Await.until(
        "the file is reported",
        LONG,
        () -> unchecked(() -> http(looker).get("/v1/store")).body().contains("line 1"));
  }

  /** Everything that a run writes and returns, but for the reply that hands a ticket out. */
  @Test
  void nothingThatIsWrittenHasASecretInIt() throws Exception {
    StringWriter written = new StringWriter();
    Logger root = Logger.getLogger("");
    Logger logger = Logger.getLogger("io.holdfast");
    Handler handler = collecting(new PrintWriter(written, true));
    root.addHandler(handler);
    logger.setLevel(Level.ALL);
    BearerToken unknown = BearerToken.create();
    String ticket;
    String key;
    Ticket own = WireClient.ticket("orders/1");
    try {
      start(options());
      key = Files.readAllLines(folder.resolve("key")).get(1);
      ticket = expect(200, http(locker).acquire("orders/2", NOW)).text("ticket");
      written.append(server.address());
      for (HttpCalls.Reply reply :
          List.of(
              http(unknown).acquire("orders/2", NOW),
              http(ops).renew(ticket),
              http(locker).renew(ticket),
              http(locker).renew(ticket + "x"),
              http(locker).post("/v1/tickets/renew", "{\"tickets\":[\"" + ticket + "\""),
              http(locker).post("/v1/verbs", "{\"verbs\":[\"" + ticket + "\"]}"),
              http(locker).acquire("orders/3", "{\"ticket\":\"" + ticket + "\"}"),
              http(ops).acquire("orders/2", NOW),
              http(locker).release(ticket))) {
        written.append(reply.toString());
      }
      try (WireClient client = new WireClient(server, locker.secret());
          WireClient viewer = new WireClient(server, looker.secret())) {
        client.attempt(own);
        Query list = new Query.ListLines("default", "", "", 10);
        written.append(Query.readLines(viewer.ask(list)).toString());
        written.append(failure(viewer.attempt(own)).toString());
      }
      write(locker.line("locker") + " " + unknown.secret(), unknown.secret());
      Await.until(
          "the file is reported", LONG, () -> written.toString().contains("old auth file stays"));
      server.close();
      written.append(Files.readString(folder.resolve("audit")));
    } finally {
      root.removeHandler(handler);
      logger.setLevel(null);
    }
    assertThat(written.toString())
        .contains("\"granted\"", "\"denied\"", "orders/1", "principal locker", "status")
        .doesNotContain(locker.secret())
        .doesNotContain(looker.secret())
        .doesNotContain(ops.secret())
        .doesNotContain(unknown.secret())
        .doesNotContain(ticket)
        .doesNotContain(key)
        .doesNotContain(own.id().encoded());
  }

  private static Handler collecting(PrintWriter out) {
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord logged) {
            out.println(logged.getMessage());
            if (logged.getThrown() != null) {
              logged.getThrown().printStackTrace(out);
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    handler.setLevel(Level.ALL);
    return handler;
  }

  private static HttpClient trusting(TestCertificates certificates) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(certificates.trustStore())) {
      store.load(file, TestCertificates.PASSWORD.toCharArray());
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  @Test
  void aNewCertificateIsUsedWithoutARestartAndOpenConnectionsGoOn() throws Exception {
    try (TestCertificates old = TestCertificates.create();
        TestCertificates renewed = TestCertificates.create()) {
      Path store = Files.copy(old.serverKeyStore(), folder.resolve("server.p12"));
      TlsSettings.Pkcs12File identity =
          new TlsSettings.Pkcs12File(store, TestCertificates.PASSWORD);
      start(options().withHost("0.0.0.0").withTls(new TlsSettings(identity)));
      assertThat(server.address()).startsWith("https://0.0.0.0:");
      try (WireClient open =
          new WireClient(
              server,
              "localhost",
              trusting(old)
                  .newWebSocketBuilder()
                  .header("Authorization", "Bearer " + locker.secret()))) {
        Ticket ticket = WireClient.ticket("orders/1");
        open.attempt(ticket);
        Path draft = Files.copy(renewed.serverKeyStore(), folder.resolve("new.p12"));
        Files.move(draft, store, StandardCopyOption.REPLACE_EXISTING);
        Await.until("the new certificate is used", LONG, () -> isTrusted(renewed));
        assertThat(isTrusted(old)).isFalse();
        assertThat(open.call(new VerbMessage.Renew(ticket))).isInstanceOf(Reply.OfRenew.class);
      }
    }
  }

  private boolean isTrusted(TestCertificates certificates) {
    try (WireClient client =
        new WireClient(
            server,
            "localhost",
            trusting(certificates)
                .newWebSocketBuilder()
                .header("Authorization", "Bearer " + locker.secret()))) {
      return client.hello.isDone();
    } catch (ExecutionException e) {
      return false;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
