package io.holdfast.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.holdfast.cli.Cli;
import io.holdfast.cli.Engine;
import io.holdfast.cli.ExitCode;
import io.holdfast.rig.PgBouncer;
import io.holdfast.rig.PostgresServer;
import io.holdfast.rig.RedisOptions;
import io.holdfast.rig.RedisServer;
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
      return of(Printed.by("doctor", "--json", "--store", uri));
    }

    static Said of(Printed printed) {
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
    List<String> mends(String subject) {
      return findings.stream()
          .filter(finding -> finding.get("subject").getAsString().equals(subject))
          .map(finding -> finding.get("mend").getAsString())
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
  @DisplayName("looks at every kind of store: it answers, has a version, gives locks")
  void well(Engine kind, RunningStores.Stores stores) {
    Said said = Said.of(stores.uri(kind));

    assertThat(said.about("java")).hasSize(1);
    assertThat(said.about("setpriv")).hasSize(1);
    assertThat(said.about("store")).hasSize(1).first().asString().startsWith("good ");
    assertThat(said.about("version")).hasSize(1);
    assertThat(said.about("rights"))
        .containsExactly("good a lock was taken and given back 20 times");
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
            RedisOptions.PLAIN
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
      assertThat(noScripts.mends("store"))
          .first()
          .asString()
          .contains("rights", "docs/engines")
          .doesNotContain("start it");

      Said noInfo = ofUser(stores, redis, "telling");
      assertThat(noInfo.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(noInfo.about("server")).first().asString().startsWith("warn ").contains("'info'");
      assertThat(noInfo.mends("server")).first().asString().contains("the rights to INFO and TIME");
    }
  }

  /** With the login in the environment, as the command line takes none. */
  private static Said ofUser(RunningStores.Stores stores, RedisServer redis, String user) {
    Cli.Setup setup =
        Cli.Setup.in(stores.folder())
            .at(redis.uri())
            .with("HOLDFAST_USER", user)
            .with("HOLDFAST_PASSWORD", "sesame");
    try (Cli cli = setup.run("doctor", "--json")) {
      assertThat(cli.out()).doesNotContain("sesame");
      return Said.of(new Printed(cli.awaitExit(), cli.out(), cli.err()));
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
      assertThat(noTables.mends("store")).first().asString().contains("rights", "docs/engines");

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
      assertThat(noWrites.mends("store")).first().asString().contains("rights", "docs/engines");
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
    Printed printed = Printed.by("doctor", "--store", "redis://user:sesame@127.0.0.1:1");

    assertThat(printed.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
    assertThat(printed.out() + printed.err()).doesNotContain("sesame");
  }
}
