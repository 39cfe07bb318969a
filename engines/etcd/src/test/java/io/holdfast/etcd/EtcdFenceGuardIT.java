package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.servers.EtcdServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EtcdFenceGuardIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static EtcdServer server;
  private static EtcdFenceGuard guard;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
    guard = EtcdFenceGuard.connect(server.uri());
  }

  @AfterAll
  static void stop() {
    guard.close();
    server.close();
  }

  @Test
  void a_later_claim_shuts_out_earlier_ones_and_repeats_pass() {
    guard.claim("a", 5, "five");
    guard.claim("a", 5, "five");
    guard.claim("a", 7, "seven");
    assertThatThrownBy(() -> guard.claim("a", 5, "five")).isInstanceOf(StaleTokenException.class);
    assertThatThrownBy(() -> guard.claim("a", 7, "other")).isInstanceOf(StaleTokenException.class);
    guard.claim("a", 7, "seven");
    guard.claim("a", 1_000_000_000_000_000_007L, "large");
    assertThatThrownBy(() -> guard.claim("a", 999, "x")).isInstanceOf(StaleTokenException.class);
  }

  @Test
  void those_that_are_admitted_raise_nothing() {
    guard.admit("b", 9, "nine");
    guard.claim("b", 5, "five");
    guard.admit("b", 9, "nine");
    guard.admit("b", 5, "five");
    assertThatThrownBy(() -> guard.admit("b", 4, "four")).isInstanceOf(StaleTokenException.class);
    assertThatThrownBy(() -> guard.admit("b", 5, "x")).isInstanceOf(StaleTokenException.class);
  }

  @Test
  void a_write_of_an_old_holder_is_not_done() throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect(server.uri())) {
      Hold old = holdfast.lock("stock").acquire(WAIT);
      guard.run(old, GuardedWrite.put("stock/42", "17"), GuardedWrite.put("stock/43", "1"));
      guard.run(old, GuardedWrite.put("stock/42", "18"));
      old.close();
      try (Hold next = holdfast.lock("stock").acquire(WAIT)) {
        guard.claim(next);
        assertThatThrownBy(() -> guard.run(old, GuardedWrite.put("stock/42", "19")))
            .isInstanceOf(StaleTokenException.class);
        assertThat(server.ctl("get", "stock/42")).contains("18");
        guard.run(next, GuardedWrite.put("stock/42", "20"), GuardedWrite.delete("stock/43"));
        assertThat(server.ctl("get", "--prefix", "stock/").lines().toList())
            .containsExactly("stock/42", "20");
      }
    }
  }

  @Test
  void a_write_while_held_is_refused_as_soon_as_the_lock_is_free() throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect(server.uri());
        Holdfast rival = Holdfast.connect(server.uri())) {
      Hold hold = holdfast.lock("till").acquire(WAIT);
      guard.runWhileHeld(hold, GuardedWrite.put("till/1", "open"));
      var waiting = rival.lock("till").acquireAsync(WAIT);
      guard.runWhileHeld(hold, GuardedWrite.put("till/1", "counted"));
      hold.close();
      waiting.join().close();
      // Nobody has claimed since, and nobody is in.
      assertThatThrownBy(() -> guard.runWhileHeld(hold, GuardedWrite.put("till/1", "late")))
          .isInstanceOf(StaleTokenException.class);
      try (Hold next = holdfast.readWriteLock("till").writeLock().acquire(WAIT)) {
        assertThatThrownBy(() -> guard.runWhileHeld(hold, GuardedWrite.put("till/1", "late")))
            .isInstanceOf(StaleTokenException.class)
            .hasMessageContaining(Long.toString(next.token()));
        assertThat(server.ctl("get", "till/1")).contains("counted");
        guard.runWhileHeld(next, GuardedWrite.put("till/1", "closed"));
      }
      assertThat(server.ctl("get", "till/1")).contains("closed");
    }
  }

  @Test
  void the_address_of_an_engine_is_accepted_with_its_namespace() throws InterruptedException {
    String address = server.uri() + "?holdfast.lease=10s&holdfast.namespace=shop";
    try (Holdfast holdfast = Holdfast.connect(address);
        EtcdFenceGuard shop = EtcdFenceGuard.connect(address);
        Hold hold = holdfast.lock("r").acquire(WAIT)) {
      shop.claim("r", hold.token(), hold.id());
      shop.claim(hold);
    }
    assertThat(server.ctl("get", "--prefix", "--keys-only", "holdfast/fence/").lines())
        .contains("holdfast/fence/shop/r")
        .doesNotContain("holdfast/fence/default/r");
    assertThatThrownBy(() -> EtcdFenceGuard.connect(server.uri() + "?holdfast.namespace=a:b"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namespaces_are_apart_and_a_guard_without_a_server_says_so() {
    guard.claim("c", 9, "nine");
    guard.inNamespace("other").claim("c", 5, "five");
    try (EtcdFenceGuard nowhere = EtcdFenceGuard.connect("etcd://127.0.0.1:1")) {
      assertThatThrownBy(() -> nowhere.claim("c", 10, "ten"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("127.0.0.1:1");
      assertThatThrownBy(
              () -> nowhere.run("c", 10, "ten", true, List.of(GuardedWrite.put("k", "v"))))
          .isInstanceOf(StoreUnavailableException.class);
    }
  }
}
