package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.EtcdServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class EtcdFenceGuardIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final EtcdServer SERVER = EtcdServer.start();
  private static final EtcdFenceGuard GUARD = EtcdFenceGuard.connect(SERVER.uri());

  @AfterAll
  static void stop() {
    GUARD.close();
    SERVER.close();
  }

  @Test
  void a_later_claim_shuts_out_earlier_ones_and_repeats_pass() {
    GUARD.claim("a", 5, "five");
    GUARD.claim("a", 5, "five");
    GUARD.claim("a", 7, "seven");
    assertThatThrownBy(() -> GUARD.claim("a", 5, "five")).isInstanceOf(StaleTokenException.class);
    assertThatThrownBy(() -> GUARD.claim("a", 7, "other")).isInstanceOf(StaleTokenException.class);
    GUARD.claim("a", 7, "seven");
    GUARD.claim("a", 1_000_000_000_000_000_007L, "large");
    assertThatThrownBy(() -> GUARD.claim("a", 999, "x")).isInstanceOf(StaleTokenException.class);
  }

  @Test
  void those_that_are_admitted_raise_nothing() {
    GUARD.admit("b", 9, "nine");
    GUARD.claim("b", 5, "five");
    GUARD.admit("b", 9, "nine");
    GUARD.admit("b", 5, "five");
    assertThatThrownBy(() -> GUARD.admit("b", 4, "four")).isInstanceOf(StaleTokenException.class);
    assertThatThrownBy(() -> GUARD.admit("b", 5, "x")).isInstanceOf(StaleTokenException.class);
  }

  @Test
  void a_write_of_an_old_holder_is_not_done() throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect(SERVER.uri())) {
      Hold old = holdfast.lock("stock").acquire(WAIT);
      GUARD.run(old, GuardedWrite.put("stock/42", "17"), GuardedWrite.put("stock/43", "1"));
      GUARD.run(old, GuardedWrite.put("stock/42", "18"));
      old.close();
      try (Hold next = holdfast.lock("stock").acquire(WAIT)) {
        GUARD.claim(next);
        assertThatThrownBy(() -> GUARD.run(old, GuardedWrite.put("stock/42", "19")))
            .isInstanceOf(StaleTokenException.class);
        assertThat(SERVER.ctl("get", "stock/42")).contains("18");
        GUARD.run(next, GuardedWrite.put("stock/42", "20"), GuardedWrite.delete("stock/43"));
        assertThat(SERVER.ctl("get", "--prefix", "stock/").lines().toList())
            .containsExactly("stock/42", "20");
      }
    }
  }

  @Test
  void a_write_while_held_is_refused_as_soon_as_the_lock_is_free() throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect(SERVER.uri());
        Holdfast rival = Holdfast.connect(SERVER.uri())) {
      Hold hold = holdfast.lock("till").acquire(WAIT);
      GUARD.runWhileHeld(hold, GuardedWrite.put("till/1", "open"));
      var waiting = rival.lock("till").acquireAsync(WAIT);
      GUARD.runWhileHeld(hold, GuardedWrite.put("till/1", "counted"));
      hold.close();
      waiting.join().close();
      // Nobody has claimed since, and nobody is in.
      assertThatThrownBy(() -> GUARD.runWhileHeld(hold, GuardedWrite.put("till/1", "late")))
          .isInstanceOf(StaleTokenException.class);
      try (Hold next = holdfast.readWriteLock("till").writeLock().acquire(WAIT)) {
        assertThatThrownBy(() -> GUARD.runWhileHeld(hold, GuardedWrite.put("till/1", "late")))
            .isInstanceOf(StaleTokenException.class)
            .hasMessageContaining(Long.toString(next.token()));
        assertThat(SERVER.ctl("get", "till/1")).contains("counted");
        GUARD.runWhileHeld(next, GuardedWrite.put("till/1", "closed"));
      }
      assertThat(SERVER.ctl("get", "till/1")).contains("closed");
    }
  }

  @Test
  void namespaces_are_apart_and_a_guard_without_a_server_says_so() {
    GUARD.claim("c", 9, "nine");
    GUARD.inNamespace("other").claim("c", 5, "five");
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
