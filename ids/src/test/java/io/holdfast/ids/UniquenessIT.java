package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.clients.JvmSpec;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ServerClock;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ids of eight processes, some of which are killed and started again, have clocks that step back by
 * a second, an hour and a day, and lose the lease of their worker number.
 *
 * <p>The large run: {@code -Dids.local=10000000 -Dids.remote=200000}, with 3 GB of free disk.
 */
class UniquenessIT {

  private static final int PROCESSES = 8;
  private static final long LOCAL = Long.getLong("ids.local", 100_000);
  private static final long REMOTE = Long.getLong("ids.remote", 2_000);
  private static final Duration LONG = Duration.ofMinutes(25);
  private static final List<String> KINDS =
      List.of("uuid4", "uuid7", "segment", "timeline", "counter", "sequence");
  private static final List<Duration> STEPS =
      List.of(Duration.ofSeconds(-1), Duration.ofHours(-1), Duration.ofDays(-1));

  @TempDir Path folder;

  private final List<ServerClock> clocks = new ArrayList<>();
  private final List<ClientJvm> running = new ArrayList<>();
  private int started;
  private String store;
  private String database;

  @Test
  @Timeout(1800)
  void no_id_is_made_twice_whatever_happens_to_those_that_make_them() throws Exception {
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    long start = System.nanoTime();
    try (RedisServer redis = RedisServer.start();
        PostgresServer postgres = PostgresServer.start()) {
      store = redis.uri() + "?holdfast.lease=4s&holdfast.operationTimeout=20s";
      database = postgres.jdbcUri(PostgresServer.DATABASE, postgres.user());
      STEPS.forEach(step -> clocks.add(ServerClock.create()));
      for (int i = 0; i < PROCESSES; i++) {
        running.add(start(i, LOCAL, REMOTE));
      }
      disturb();
      finish();
    } finally {
      running.forEach(ClientJvm::close);
      clocks.forEach(ServerClock::close);
    }
    for (String kind : KINDS) {
      check(kind);
    }
    Figure.print("all of it in %,d s", (System.nanoTime() - start) / 1_000_000_000);
  }

  private ClientJvm start(int place, long local, long remote) {
    String name = "minter-" + started++;
    Map<String, String> environment =
        place < clocks.size() ? clocks.get(place).environment() : Map.of();
    return ClientJvm.start(
        JvmSpec.of(
                name,
                IdMakerProgram.class,
                folder.resolve(name).toString(),
                store,
                database,
                Long.toString(local),
                Long.toString(remote))
            .withHeapMegabytes(128)
            .withEnvironment(environment));
  }

  /** In the middle of their work. */
  private void disturb() throws Exception {
    running.forEach(each -> each.awaitLine("half", LONG));
    for (int i = 0; i < STEPS.size(); i++) {
      clocks.get(i).step(STEPS.get(i));
    }
    long hour = Duration.ofHours(1).toMillis();
    assertThat(number(running.get(1).awaitLine("regressed ", LONG))).isBetween(hour - 5_000, hour);
    running.get(2).awaitLine("regressed ", LONG);
    evict(running.get(3));
    // They had half of their ids; whoever comes in their place makes the other half. Those whose
    // clocks are wrong are started again with their wrong clocks.
    for (int killed : new int[] {0, 1, 2, 4, 5}) {
      running.get(killed).kill9();
      running.add(start(killed, LOCAL / 2, REMOTE / 2));
    }
    running.removeIf(each -> !each.isRunning());
    Figure.print("5 of 8 processes killed and started again; clocks stepped by %s", STEPS);
  }

  private static long number(String line) {
    return Long.parseLong(line.split(" ", -1)[1]);
  }

  /** Takes its worker number away at once, and gives it to another. */
  private void evict(ClientJvm minter) throws Exception {
    try (Holdfast operator = Holdfast.connect(store)) {
      EngineInspector inspector = operator.inspector().orElseThrow();
      Resource resource =
          new Resource("default", "ids/u/worker/" + number(minter.awaitLine("seated ", LONG)));
      TicketView holder = inspector.show(resource).orElseThrow().tickets().get(0);
      assertThat(inspector.evict(resource, holder.token(), "a test"))
          .isEqualTo(EngineInspector.Verdict.DONE);
      rival(operator, (int) number(minter.awaitLine("seated ", LONG)));
    }
  }

  /** Takes that number while the one that had it does not know yet that it is lost. */
  private void rival(Holdfast operator, int worker) throws Exception {
    TimelineOptions options =
        TimelineOptions.DEFAULTS.withWorker(worker).withTolerance(Duration.ofSeconds(10));
    Path file = Files.createDirectories(folder.resolve("rival")).resolve("timeline");
    try (LongIds ids = Ids.over(operator).timeline("u", options);
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      for (int i = 0; i < 10_000; i++) {
        out.writeLong(ids.next());
      }
    }
  }

  private void finish() {
    running.forEach(each -> each.awaitLine("counted", LONG));
    running.forEach(each -> each.say("finish"));
    for (ClientJvm each : running) {
      each.awaitLine("done", LONG);
      assertThat(each.awaitExit(LONG)).isZero();
    }
  }

  private void check(String kind) throws Exception {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(folder)) {
      all.filter(file -> file.endsWith(kind)).forEach(files::add);
    }
    IdFiles ids = new IdFiles(files);
    long count = ids.count();
    long repeated = ids.repeated();
    Figure.print("%s: %,d ids of %d programs, %d repeated", kind, count, files.size(), repeated);
    assertThat(repeated).isZero();
    boolean local = !kind.equals("counter") && !kind.equals("sequence");
    assertThat(count).isGreaterThanOrEqualTo(PROCESSES * (local ? LOCAL : REMOTE));
  }
}
