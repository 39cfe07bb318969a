package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.server.LockServer;
import io.holdfast.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("every example")
class ExamplesTest {

  private static final int LONGEST = 110;

  private record Example(Printed.Program program, List<String> prints) {}

  private final Map<String, Example> examples = new TreeMap<>();

  ExamplesTest() {
    String[] none = {};
    add("QuickStart", () -> QuickStart.main(none), "saved: two apples");
    add(
        "OptionsAndViews",
        () -> OptionsAndViews.main(none),
        "first come, first served: invoice-numbers",
        "more than 4 s left: true",
        "lease: PT20S");
    add(
        "Timeouts",
        () -> Timeouts.main(none),
        "at once: false",
        "within 100 ms: false",
        "held by nightly-job",
        "items: 42");
    add(
        "Errors",
        () -> Errors.main(none),
        "busy: come back later",
        "refused: fix the program",
        "done",
        "closed: we are shutting down");
    add(
        "Fencing",
        () -> Fencing.main(none),
        "told of the loss: EXPIRED",
        "second token is larger: true",
        "first still believes: false",
        "first is refused");
    String[] database = {"jdbc:h2:mem:examples;DB_CLOSE_DELAY=-1"};
    add("JdbcLocks", () -> JdbcLocks.main(database), "held: true");
    add("PausedHolder", () -> PausedHolder.main(none), "the paused holder is refused");
    add(
        "StockByValue",
        () -> StockByValue.main(none),
        "sold by value: 10 of 10, to 16 who wanted one");
    add("StockCounter", () -> StockCounter.main(none), "sold: 10 of 10, to 16 who wanted one");
    add("TaskPool", () -> TaskPool.main(none), "done by three machines: 20 of 20");
    add("TransactionLocks", () -> TransactionLocks.main(none), "counted by 8: 8");
    add("RedisLocks", () -> onRedis(RedisLocks::main), "held: true", "over a client of ours: true");
    add(
        "RedlockLocks",
        ExamplesTest::onMasters,
        "more than half agree: true",
        "another client gets in: false",
        "the next token is larger: true",
        "a majority counts no permits");
    add("EtcdLocks", () -> onEtcd(EtcdLocks::main), "held: true", "written");
    add("LockService", () -> LockService.main(none), "held: true");
    add("RemoteLocks", () -> onService(RemoteLocks::main), "held: true");
    add("ZooKeeperLocks", ExamplesTest::onZooKeeper, "held: true");
    add("RedisFencing", () -> onRedis(RedisFencing::main), "the late writer is refused");
    add(
        "ReadersAndWriters",
        () -> ReadersAndWriters.main(none),
        "readers together: true",
        "writer beside them: false",
        "reader beside a writer: false",
        "same token: true",
        "others read too: true");
    add(
        "Permits",
        () -> Permits.main(none),
        "a third of two: false",
        "a third of three: true",
        "another number is refused");
    addMore(none);
  }

  private void addMore(String[] none) {
    add("KeptName", () -> KeptName.main(none), "kept by the store: true", "free: false");
    add(
        "Draining",
        () -> Draining.main(none),
        "held: 1",
        "nothing is held: false",
        "no new work",
        "nothing is held: true");
    add(
        "UniqueIds",
        () -> UniqueIds.main(none),
        "order ids rise: true",
        "event ids: 100",
        "without the store for: true",
        "invoice ids follow: true",
        "made just now: true",
        "uuids rise: true");
    add(
        "ReadableIds",
        () -> ReadableIds.main(none),
        "20261115-5CSCJM5807",
        "06W02N0JM5807",
        "0IITJGJXoFr",
        "247700900708261895",
        "2026-11-15T12:34:56.789Z by worker 42",
        "true");
    add(
        "SeveralLocks",
        () -> SeveralLocks.main(none),
        "a token for each of [accounts/3, accounts/7]",
        "{accounts/3=130, accounts/7=70}");
    add(
        "Leader",
        () -> Leader.main(none),
        "east leads",
        "both lead: false",
        "east leads: false",
        "east leads no more",
        "west leads");
    add(
        "HourlyMessage",
        () -> HourlyMessage.main(none),
        "Hello world",
        "one machine RAN, the other found it DONE");
    add(
        "WithoutBlocking",
        () -> WithoutBlocking.main(none),
        "first is in, second waits: true",
        "painted",
        "left behind: false");
    add(
        "JavaLockView",
        () -> JavaLockView.main(none),
        "inside twice",
        "still held: true",
        "another thread gets in: false");
    add(
        "CountingEvents",
        () -> CountingEvents.main(none),
        "Acquired{name=orders/{}} 3",
        "Acquired{name=untagged} 1",
        "NotAcquired{name=orders/{}} 3",
        "Released{name=orders/{}} 3",
        "Released{name=untagged} 1");
    add(
        "MicrometerMeters",
        () -> MicrometerMeters.main(none),
        "orders/{} acquired: 3",
        "orders/{} busy: 1",
        "held now: 1.0",
        "acquire orders/{}: orders/42");
    add(
        "Operators",
        () -> Operators.main(none),
        "\"jobs/1\" HOLDING worker",
        "\"jobs/2\" HOLDING worker",
        "revoke: DONE",
        "evict: DONE",
        "free at once: true",
        "jobs/1 lost, stuck since noon, name jobs/1 at memory:operators",
        "jobs/2 lost, REVOKED");
  }

  private void add(String name, Printed.Program program, String... prints) {
    examples.put(name, new Example(program, List.of(prints)));
  }

  @TestFactory
  @DisplayName("prints what it must and ends")
  Stream<DynamicTest> prints() {
    return examples.entrySet().stream()
        .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> check(entry.getValue())));
  }

  private static void check(Example example) throws Exception {
    assertThat(Printed.by(example.program)).isEqualTo(example.prints);
  }

  @Test
  @DisplayName("is run here, is short, and says which lines the documentation may quote")
  void rules() throws IOException {
    List<String> found = new ArrayList<>();
    for (Map.Entry<Path, List<String>> file : Sources.main().entrySet()) {
      String name = file.getKey().getFileName().toString().replace(".java", "");
      List<String> lines = file.getValue();
      if (!name.equals("package-info") && !file.getKey().toString().contains("demo")) {
        found.add(name);
        assertThat(lines).as(name).hasSizeLessThan(LONGEST);
        assertThat(lines).as(name).containsOnlyOnce("// region docs", "// endregion");
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(examples.keySet());
  }

  private interface ProgramWithAddress {
    void run(String[] args) throws Exception;
  }

  private static void onEtcd(ProgramWithAddress program) throws Exception {
    try (EtcdServer etcd = EtcdServer.start()) {
      program.run(new String[] {etcd.uri()});
    }
  }

  private static void onService(ProgramWithAddress program) throws Exception {
    try (LockServer server = LockServer.start("memory:", ServerOptions.DEFAULTS.withPort(0))) {
      program.run(new String[] {server.address()});
    }
  }

  /** With its usual tick, as the usual lease is longer than a quick one allows. */
  private static void onZooKeeper() throws Exception {
    ZooKeeperServerOptions usual = ZooKeeperServerOptions.PLAIN.withTick(Duration.ofSeconds(2));
    try (ZooKeeperServer zooKeeper = ZooKeeperServer.start(usual)) {
      ZooKeeperLocks.main(new String[] {zooKeeper.uri()});
    }
  }

  private static void onMasters() throws Exception {
    try (RedisMasters masters = RedisMasters.start(3)) {
      RedlockLocks.main(new String[] {"redlock://" + masters.addresses()});
    }
  }

  private static void onRedis(ProgramWithAddress program) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      program.run(new String[] {redis.uri()});
    }
  }
}
