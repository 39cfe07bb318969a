package io.holdfast.cli.commands.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.holdfast.cli.CliOutput;
import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.RunningStores;
import io.holdfast.rig.servers.PgBouncer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("holdfast doctor")
@ExtendWith(RunningStores.class)
@Timeout(120)
class DoctorCommandIT {

  private record Said(int code, List<JsonObject> findings) {

    static Said of(String uri) {
      return of(CliOutput.by("doctor", "--json", "--store", uri));
    }

    static Said of(CliOutput printed) {
      JsonObject json = JsonParser.parseString(printed.out()).getAsJsonObject();
      return new Said(
          printed.code(),
          json.getAsJsonArray("findings").asList().stream()
              .map(JsonElement::getAsJsonObject)
              .toList());
    }

    /** Level and text of what was found about it. */
    List<String> about(String subject) {
      return findings.stream()
          .filter(finding -> finding.get("subject").getAsString().equals(subject))
          .map(
              finding ->
                  finding.get("level").getAsString() + " " + finding.get("text").getAsString())
          .toList();
    }

    /** What to do about it. */
    List<String> fixes(String subject) {
      return findings.stream()
          .filter(finding -> finding.get("subject").getAsString().equals(subject))
          .map(finding -> finding.get("fix").getAsString())
          .toList();
    }

    boolean isWell() {
      return findings.stream()
          .map(finding -> finding.get("level").getAsString())
          .noneMatch(level -> level.equals("warn") || level.equals("bad"));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REDLOCK")
  @DisplayName("checks every kind of store: it replies, has a version, grants locks")
  void well(EngineWithServer kind, RunningStores.Stores stores) {
    Said said = Said.of(stores.uri(kind));

    assertThat(said.about("java")).hasSize(1);
    assertThat(said.about("setpriv")).hasSize(1);
    assertThat(said.about("store")).hasSize(1).first().asString().startsWith("good ");
    if (kind == EngineWithServer.SERVICE) {
      assertThat(said.about("service")).hasSize(1);
    } else {
      assertThat(said.about("version")).hasSize(1);
    }
    assertThat(said.about("rights"))
        .containsExactly("good a lock was acquired and released 20 times");
    assertThat(said.about("latency")).isNotEmpty();
    assertThat(said.code()).isEqualTo(said.isWell() ? ExitCode.OK : ExitCode.NOT_ACQUIRED);
  }

  @Test
  @DisplayName("finds a Redis that evicts locks")
  void eviction() {
    try (RedisServer redis =
        RedisServer.start("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru")) {
      Said said = Said.of(redis.uri());

      assertThat(said.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(said.about("eviction"))
          .first()
          .asString()
          .startsWith("bad ")
          .contains("allkeys-lru");
      assertThat(said.about("engine")).first().asString().contains("noeviction");
      assertThat(said.about("clock")).first().asString().startsWith("good ");
    }
  }

  @Test
  @DisplayName("finds a replica that takes no locks, and a server that is down")
  void replicaAndDown() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = RedisServer.start()) {
      replica.replicate(master);
      replica.awaitInSync(master);

      assertThat(Said.of(replica.uri()).about("store")).first().asString().startsWith("bad ");

      String uri = master.uri();
      master.process().kill9();

      Said down = Said.of(uri);
      assertThat(down.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(down.about("store")).first().asString().startsWith("bad ").contains(uri);
    }
  }

  @Test
  @DisplayName("finds a user of Redis without rights, and names what is missing")
  void redisRights(RunningStores.Stores stores) {
    String[] all = {"~*", "&*", "+@all"};
    try (RedisServer redis =
        RedisServer.start(
            RedisServerOptions.PLAIN
                .withUser("scripts", "sesame", all)
                .with("-eval", "-evalsha")
                .withUser("telling", "sesame", all)
                .with("-info"))) {
      Said noScripts = ofUser(stores, redis, "scripts");
      assertThat(noScripts.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(noScripts.about("store"))
          .first()
          .asString()
          .startsWith("bad ")
          .contains("evalsha");
      assertThat(noScripts.fixes("store"))
          .first()
          .asString()
          .contains("rights", "docs/engines")
          .doesNotContain("start it");

      Said noInfo = ofUser(stores, redis, "telling");
      assertThat(noInfo.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(noInfo.about("server")).first().asString().startsWith("warn ").contains("'info'");
      assertThat(noInfo.fixes("server")).first().asString().contains("the rights to INFO and TIME");
    }
  }

  /** With the login in the environment, as the command line takes none. */
  private static Said ofUser(RunningStores.Stores stores, RedisServer redis, String user) {
    CliProcess.Setup setup =
        CliProcess.Setup.in(stores.folder())
            .at(redis.uri())
            .with("HOLDFAST_USER", user)
            .with("HOLDFAST_PASSWORD", "sesame");
    try (CliProcess cli = setup.run("doctor", "--json")) {
      assertThat(cli.out()).doesNotContain("sesame");
      return Said.of(new CliOutput(cli.awaitExit(), cli.out(), cli.err()));
    }
  }

  @Test
  @DisplayName("finds a user of PostgreSQL who may not create the tables, or not use them")
  void postgresRights() {
    try (PostgresServer postgres = PostgresServer.start()) {
      postgres.createDatabase("cli");
      postgres.sql("cli", "revoke create on schema public from public; create role app login");

      Said noTables = Said.of(postgres.jdbcUri("cli", "app"));
      assertThat(noTables.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(noTables.about("store"))
          .first()
          .asString()
          .startsWith("bad ")
          .contains("the tables are missing", "as a user who may create them");
      assertThat(noTables.fixes("store")).first().asString().contains("rights", "docs/engines");

      assertThat(Said.of(postgres.jdbcUri("cli", postgres.user())).about("rights"))
          .first()
          .asString()
          .startsWith("good ");
      postgres.sql("cli", "grant select on all tables in schema public to app");

      Said noWrites = Said.of(postgres.jdbcUri("cli", "app"));
      assertThat(noWrites.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(noWrites.about("store"))
          .first()
          .asString()
          .startsWith("bad ")
          .contains("holdfast_");
      assertThat(noWrites.fixes("store")).first().asString().contains("rights", "docs/engines");
    }
  }

  @Test
  @DisplayName("finds a pooler before PostgreSQL, and commits that are not flushed")
  void pooler(RunningStores.Stores stores) {
    try (PostgresServer postgres = PostgresServer.start();
        PgBouncer pooler = PgBouncer.start(postgres, PgBouncer.PoolMode.TRANSACTION)) {
      postgres.createDatabase("cli");
      String direct = postgres.jdbcUri("cli", postgres.user());

      Said pooled = Said.of(pooler.jdbcUri("cli", postgres.user()));
      Said asynchronous = Said.of(direct + "&options=-csynchronous_commit=off");

      assertThat(pooled.about("engine")).first().asString().contains("pooler");
      assertThat(asynchronous.about("durability"))
          .anySatisfy(text -> assertThat(text).startsWith("warn synchronous_commit is off"));
    }
  }

  @Test
  @DisplayName("finds a SQLite file that others may read")
  void modes(RunningStores.Stores stores) throws Exception {
    Path file = stores.folder().resolve("open.db");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    String uri = "jdbc:sqlite:" + file;

    assertThat(Said.of(uri).about("file")).allSatisfy(text -> assertThat(text).startsWith("good "));

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    Said said = Said.of(uri);
    assertThat(said.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
    assertThat(said.about("file"))
        .anySatisfy(text -> assertThat(text).startsWith("warn ").contains("rw-r--r--"));
  }

  @Test
  @DisplayName("shows no secret of an address")
  void secrets() {
    CliOutput printed = CliOutput.by("doctor", "--store", "redis://user:sesame@127.0.0.1:1");

    assertThat(printed.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
    assertThat(printed.out() + printed.err()).doesNotContain("sesame");
  }
}
