package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.EtcdServer;
import java.nio.file.Path;
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

/** Every peer over etcd is a lock: among threads and among clients. */
@Timeout(120)
class EtcdPeersIT {

  private static EtcdServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {EtcdPeers.JETCD, EtcdPeers.RAW})
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
  void what_is_no_plain_address_is_refused_and_not_quoted() {
    assertThatThrownBy(() -> EtcdAddress.of("etcd://me:secret@host:1"))
        .isInstanceOf(BadOptionException.class)
        .hasMessageNotContaining("secret");
    assertThat(EtcdAddress.of("etcd://h:1").endpoint()).isEqualTo("http://h:1");
  }
}
