package io.holdfast.cli.commands.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Loss;
import io.holdfast.cli.CliOutput;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.RunningStores;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineInspector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("U18, force-unlock")
@ExtendWith(RunningStores.class)
@Timeout(120)
class U18ForceUnlockIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  /**
   * Nobody sees its end, nor the renewal at a third of it by which a holder is notified, within
   * what an eviction may take. A server of ZooKeeper with a tick of 2 s gives no longer sessions
   * than 40 s.
   */
  private static final Duration NOT_TO_BE_WAITED_FOR = Duration.ofSeconds(36);

  /** On ZooKeeper the shortest session that a server with a tick of 2 s gives. */
  private static Duration lease(String uri) {
    return Duration.ofSeconds(uri.startsWith("zookeeper:") ? 10 : 4);
  }

  private static Holdfast client(String uri, String app) {
    return client(uri, app, lease(uri));
  }

  private static Holdfast client(String uri, String app, Duration lease) {
    return Holdfast.connect(uri, HoldfastOptions.DEFAULTS.withApp(app).withLease(lease));
  }

  private static CliOutput release(Path home, String uri, String name, long token, String... more) {
    List<String> words =
        List.of("release", name, "--token", "" + token, "--reason", "stuck", "--store", uri);
    return CliOutput.byProcess(
        home, Stream.concat(words.stream(), List.of(more).stream()).toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName("revokes the holder with that token, and no other")
  void revoke(EngineWithServer kind, RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(kind);
    String name = "u18/" + UUID.randomUUID();
    Path home = stores.folder();
    try (Holdfast holder = client(uri, "web");
        Holdfast next = client(uri, "next")) {
      Hold hold = holder.lock(name).acquire(LONG);

      CliOutput wrong = release(home, uri, name, hold.token() + 1024 * 1024);

      assertThat(wrong.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(wrong.out()).contains("nothing was changed", "now in: web pid ");
      assertThat(hold.isHeld()).isTrue();
      revoke(kind, home, uri, hold);
      Hold later = next.lock(name).acquire(LONG);
      assertThat(later.token()).isGreaterThan(hold.token());

      CliOutput late = release(home, uri, name, hold.token());

      assertThat(late.code()).as("the grant of before is not the one of now").isEqualTo(1);
      assertThat(later.isHeld()).isTrue();
      later.release();
    }
    assertNoted(home, name);
  }

  private static void revoke(EngineWithServer kind, Path home, String uri, Hold hold)
      throws Exception {
    CompletableFuture<Loss> lost = new CompletableFuture<>();
    hold.onLoss(lost::complete);

    CliOutput right = release(home, uri, hold.name(), hold.token());
    long asked = System.nanoTime();

    assertThat(right.code()).as(right.out()).isZero();
    assertThat(right.out()).contains("revoked: " + hold.name(), "web pid ", "waiting: 0");
    Loss loss = lost.get(LONG.toSeconds(), TimeUnit.SECONDS);
    Figure.since(asked, lease(uri).dividedBy(2), kind + ": notified of the revocation");
    assertThat(loss.cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(loss.reason()).contains("stuck (" + System.getProperty("user.name") + "@");
  }

  /** Who, when, whom and why, for the user alone. */
  private static void assertNoted(Path home, String name) throws Exception {
    Path log = home.resolve("state/holdfast/releases.log");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
        .isEqualTo("rw-------");
    List<JsonObject> noted =
        Files.readAllLines(log).stream()
            .map(l -> JsonParser.parseString(l).getAsJsonObject())
            .toList();
    assertThat(noted.stream().map(line -> line.get("verdict").getAsString()))
        .containsExactly("not-current", "revoked", "not-current");
    JsonObject done = noted.get(1);
    assertThat(done.get("user").getAsString()).isEqualTo(System.getProperty("user.name"));
    assertThat(done.get("name").getAsString()).isEqualTo(name);
    assertThat(done.get("reason").getAsString()).startsWith("stuck (");
    assertThat(done.get("time").getAsString()).startsWith("20");
    JsonObject whom = done.getAsJsonArray("cutOff").get(0).getAsJsonObject();
    assertThat(whom.get("app").getAsString()).isEqualTo("web");
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName("with --evict lets the next one in at once, with a higher token")
  void evict(EngineWithServer kind, RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(kind);
    String name = "u18/" + UUID.randomUUID();
    try (Holdfast holder = client(uri, "web", NOT_TO_BE_WAITED_FOR);
        Holdfast next = client(uri, "next", NOT_TO_BE_WAITED_FOR)) {
      Hold hold = holder.lock(name).acquire(LONG);
      CompletableFuture<Hold> waiting = next.lock(name).acquireAsync(LONG);

      CliOutput done = release(stores.folder(), uri, name, hold.token(), "--evict");
      long evicted = System.nanoTime();

      assertThat(done.code()).as(done.out()).isZero();
      assertThat(done.out()).contains("evicted: " + name, "only the token protects");
      try (Hold in = waiting.get(LONG.toSeconds(), TimeUnit.SECONDS)) {
        Figure.since(
            evicted, Duration.ofSeconds(1), kind + ": the next one is in after the eviction");
        assertThat(in.token()).isGreaterThan(hold.token());
      }
    }
  }

  @Test
  @DisplayName("with --host frees all that a machine holds")
  void host(RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(EngineWithServer.SQLITE);
    Path home = stores.folder();
    String prefix = "u18/" + UUID.randomUUID() + "/";
    try (Holdfast holder = client(uri, "web")) {
      Hold one = holder.lock(prefix + 1).acquire(LONG);
      Hold two = holder.lock(prefix + 2).acquire(LONG);
      String host = hostOf(holder, prefix);

      CliOutput none = releaseHost(home, uri, "elsewhere");
      CliOutput both = releaseHost(home, uri, host, "--evict");

      assertThat(none.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(both.code()).as(both.out()).isZero();
      assertThat(both.out())
          .contains(prefix + 1 + ", token " + one.token(), prefix + 2 + ", token " + two.token());
      assertThat(CliOutput.by("ls", prefix, "--json", "--store", uri).out()).isEmpty();
    }
  }

  private static String hostOf(Holdfast holder, String prefix) throws Exception {
    EngineInspector inspector = holder.inspector().orElseThrow();
    return inspector.list("default", prefix, "", 10).get(0).tickets().get(0).owner().host();
  }

  private static CliOutput releaseHost(Path home, String uri, String host, String... more) {
    List<String> words = List.of("release", "--host", host, "--reason", "gone", "--store", uri);
    return CliOutput.byProcess(
        home, Stream.concat(words.stream(), List.of(more).stream()).toArray(String[]::new));
  }

  @Test
  @DisplayName("needs a token and a reason")
  void usage(RunningStores.Stores stores) {
    String uri = stores.uri(EngineWithServer.SQLITE);

    assertThat(CliOutput.by("release", "x", "--reason", "why", "--store", uri).code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(CliOutput.by("release", "x", "--token", "1", "--store", uri).err())
        .contains("--reason");
    assertThat(CliOutput.by("release", "x", "--token", "1", "--reason", " ", "--store", uri).err())
        .contains("must say something");
  }
}
