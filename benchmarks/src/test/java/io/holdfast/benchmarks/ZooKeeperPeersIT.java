package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.ZooKeeperOptions;
import io.holdfast.rig.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every peer over ZooKeeper is a lock: among threads, among clients and among processes. */
@Timeout(120)
class ZooKeeperPeersIT {

  private static ZooKeeperServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    // Sessions as long as the usual lease.
    server = ZooKeeperServer.start(ZooKeeperOptions.PLAIN.withTick(Duration.ofSeconds(2)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ZooKeeperPeers.CURATOR,
        ZooKeeperPeers.CURATOR_SEMAPHORE,
        ZooKeeperPeers.FRAMEWORK,
        ZooKeeperPeers.RAW
      })
  void a_second_caller_waits_until_the_first_has_released(String name) throws Exception {
    Contender contender = Entrant.peer(name, server.uri()).contender();
    assertThat(contender.name()).isEqualTo(name);
    assertThat(contender.acrossProcesses()).isTrue();
    try (Contender.Session one = contender.open(folder);
        Contender.Session other = contender.open(folder)) {
      excludes(one.caller(), one.caller(), name + "/threads");
      excludes(one.caller(), other.caller(), name + "/clients");
    }
  }

  /** Each by a thread of its own: some of them are owned by threads. */
  private static void excludes(Contender.Caller first, Contender.Caller second, String name)
      throws Exception {
    first.acquire(name);
    FutureTask<Boolean> rival =
        new FutureTask<>(
            () -> {
              second.acquire(name);
              second.release();
              return true;
            });
    new Thread(rival).start();
    assertThatThrownBy(() -> rival.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    first.release();
    assertThat(rival.get(20, TimeUnit.SECONDS)).isTrue();
    first.acquire(name);
    first.release();
  }

  @Test
  void three_processes_keep_apart() throws Exception {
    Entrant entrant = Entrant.peer(ZooKeeperPeers.CURATOR, server.uri());
    Workload workload = Workload.shared("apart", 2, Duration.ofNanos(50_000));
    try (Runner runner = ProcessRunner.start(entrant, workload, 3, folder)) {
      Sample sample = runner.run(Duration.ofMillis(300));
      assertThat(sample.faults()).isEmpty();
      assertThat(sample.ops()).isPositive();
    }
  }

  @Test
  void what_is_no_plain_address_is_refused_and_not_quoted() {
    assertThatThrownBy(() -> ZooKeeperPeers.hosts("zookeeper://me:secret@host:1"))
        .isInstanceOf(BadOptionException.class)
        .hasMessageNotContaining("secret");
    assertThat(ZooKeeperPeers.hosts("zookeeper://h:1,i:2/")).isEqualTo("h:1,i:2");
  }
}
