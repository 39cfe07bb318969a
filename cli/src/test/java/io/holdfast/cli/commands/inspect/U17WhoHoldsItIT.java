package io.holdfast.cli.commands.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.cli.CliOutput;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.RunningStores;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("U17, who holds it?")
@ExtendWith(RunningStores.class)
@Timeout(120)
class U17WhoHoldsItIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  private static Holdfast client(String uri, String app) {
    return Holdfast.connect(
        uri,
        HoldfastOptions.DEFAULTS
            .withApp(app)
            .withText("order 42")
            .withOrder(Order.FIFO)
            .withLease(Duration.ofSeconds(20)));
  }

  private static JsonObject show(String uri, String name) {
    return JsonParser.parseString(CliOutput.by("show", name, "--json", "--store", uri).out())
        .getAsJsonObject();
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName("by show: holder, age, lease left, token, and the waiters in their order")
  void show(EngineWithServer kind, RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(kind);
    String name = "u17/" + UUID.randomUUID();
    List<Holdfast> clients = new ArrayList<>();
    try {
      clients.add(client(uri, "web"));
      Hold hold = clients.get(0).lock(name).acquire(LONG);
      for (String app : List.of("first", "second")) {
        clients.add(client(uri, app));
        standInLine(clients.get(clients.size() - 1), uri, name, clients.size() - 1);
      }

      JsonObject shown = show(uri, name);

      assertThat(shown.get("state").getAsString()).isEqualTo("held");
      assertThat(shown.get("order").getAsString()).isEqualTo("fifo");
      assertHolder(shown.getAsJsonArray("holders").get(0).getAsJsonObject(), hold.token());
      JsonArray waiters = shown.getAsJsonArray("waiters");
      assertThat(waiters.get(0).getAsJsonObject().get("app").getAsString()).isEqualTo("first");
      assertThat(waiters.get(1).getAsJsonObject().get("app").getAsString()).isEqualTo("second");
      assertText(uri, name, hold.token());
    } finally {
      clients.forEach(each -> each.close(Duration.ZERO));
    }
  }

  /** Returns when so many wait. */
  private static void standInLine(Holdfast client, String uri, String name, int expected) {
    CompletableFuture<Hold> unused = client.lock(name).acquireAsync(LONG);
    Await.until(
        expected + " in line",
        LONG,
        () -> show(uri, name).getAsJsonArray("waiters").size() == expected);
  }

  private static void assertHolder(JsonObject holder, long token) {
    assertThat(holder.get("app").getAsString()).isEqualTo("web");
    assertThat(holder.get("text").getAsString()).isEqualTo("order 42");
    assertThat(holder.get("pid").getAsLong()).isEqualTo(ProcessHandle.current().pid());
    assertThat(holder.get("host").getAsString()).isNotEmpty();
    assertThat(holder.get("thread").getAsString()).isNotEmpty();
    assertThat(holder.get("token").getAsString()).isEqualTo(String.valueOf(token));
    assertThat(holder.get("leaseLeftMillis").getAsLong()).isBetween(1L, 20_000L);
    assertThat(holder.get("ageMillis").getAsLong()).isBetween(0L, 60_000L);
  }

  private static void assertText(String uri, String name, long token) {
    CliOutput shown = CliOutput.by("show", name, "--store", uri);
    assertThat(shown.code()).isZero();
    assertThat(shown.lines().get(0)).contains(name, "mutex fifo, held");
    assertThat(shown.out()).contains("web pid ", "(order 42)", "token      " + token, "2. second");
    CliOutput listed = CliOutput.by("ls", name, "--store", uri);
    assertThat(listed.lines()).hasSize(2);
    assertThat(listed.lines().get(1)).contains(name, "held", String.valueOf(token), "web pid ");
    assertThat(CliOutput.by("ls", "u17/*", "--owner", "second", "--json", "--store", uri).out())
        .contains(name);
    assertThat(CliOutput.by("ls", "u17/*", "--owner", "nobody", "--json", "--store", uri).out())
        .doesNotContain(name);
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName("without an order: that somebody waits, also where the store does not list who")
  void withoutOrder(EngineWithServer kind, RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(kind);
    String name = "u17/" + UUID.randomUUID();
    try (Holdfast web = any(uri);
        Holdfast batch = any(uri);
        Hold hold = web.lock(name).acquire(LONG)) {
      assertThat(hold.isHeld()).isTrue();
      assertThat(CliOutput.by("show", name, "--store", uri).out()).contains("waiting    nobody");
      CompletableFuture<Hold> waits = batch.lock(name).acquireAsync(LONG);

      Await.until("somebody waits", LONG, () -> isWaitedFor(show(uri, name)));

      assertThat(CliOutput.by("show", name, "--store", uri).out())
          .doesNotContain("waiting    nobody");
      waits.cancel(true);
    }
  }

  private static Holdfast any(String uri) {
    return Holdfast.connect(uri, HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(20)));
  }

  private static boolean isWaitedFor(JsonObject shown) {
    return shown.get("unlistedWaiters").getAsBoolean()
        || !shown.getAsJsonArray("waiters").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName("of a free lock: nobody, and code 1")
  void free(EngineWithServer kind, RunningStores.Stores stores) {
    String uri = stores.uri(kind);

    CliOutput shown = CliOutput.by("show", "u17/never-used", "--store", uri);

    assertThat(shown.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
    assertThat(shown.out()).startsWith("u17/never-used is free at ");
    assertThat(CliOutput.by("ls", "u17/never-used", "--store", uri).code()).isZero();
  }

  @Test
  @DisplayName("by watch: grants and releases, as lines")
  void watch(RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(EngineWithServer.REDIS);
    String name = "u17/" + UUID.randomUUID();
    try (Holdfast holdfast = client(uri, "web")) {
      CompletableFuture<Void> play =
          CompletableFuture.runAsync(
              () -> {
                try (Hold hold = holdfast.lock(name).acquireAsync(LONG).join()) {
                  Await.until(
                      "a lease that runs", LONG, () -> hold.remaining().toMillis() < 18_400);
                }
              });

      CliOutput watched =
          CliOutput.by(
              "watch", "u17/", "--every", "100ms", "--for", "4s", "--json", "--store", uri);

      play.join();
      assertThat(watched.code()).isZero();
      assertThat(watched.lines()).allMatch(line -> JsonParser.parseString(line).isJsonObject());
      assertThat(watched.lines().stream().filter(line -> line.contains(name)))
          .anyMatch(line -> line.contains("\"change\":\"in\"") && line.contains("web"))
          .anyMatch(line -> line.contains("\"change\":\"out\""));
    }
  }

  @Test
  @DisplayName("also of names that would move the cursor, which are shown escaped")
  void escaped(RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(EngineWithServer.REDIS);
    String name = "u17/\u001b[2Jx";
    try (Holdfast holdfast = client(uri, "\u001b[31m");
        Hold hold = holdfast.lock(name).acquire(LONG)) {
      hold.ensureHeld();

      assertThat(CliOutput.by("ls", "u17/", "--store", uri).out()).doesNotContain("\u001b");
      assertThat(CliOutput.by("show", name, "--store", uri).out())
          .doesNotContain("\u001b")
          .contains("\\u001b[2Jx");
    }
  }
}
