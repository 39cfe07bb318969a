package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** U50. Every name of 1 to 512 bytes works as it is; nothing is trimmed, folded or normalised. */
class U50NamesTest {

  private static final List<String> NAMES =
      List.of(
          "orders/42",
          "orders/42 ",
          " orders/42",
          "Orders/42",
          "ORDERS/42",
          "caf\u00e9",
          "cafe\u0301",
          "\ud83d\ude00",
          "\u4e2d\u6587",
          "..",
          "/",
          "//",
          "a\nb",
          "{}",
          "*",
          "%",
          "'; drop table locks; --",
          "x".repeat(512),
          "\u4e2d".repeat(170));

  private final HoldScene scene = new HoldScene();

  @Test
  void namesThatDifferInAByteNeverExcludeEachOther() throws Exception {
    List<Hold> all = new ArrayList<>();
    for (String name : NAMES) {
      Hold hold = scene.take(name);
      assertThat(hold.name()).isEqualTo(name);
      all.add(hold);
    }
    for (String name : NAMES) {
      assertThat(scene.rivalsLock(name).tryAcquire()).isEmpty();
    }
    assertThat(all).allMatch(Hold::isHeld);
    all.forEach(Hold::release);
    assertThat(scene.engine.lines()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\0b", "\ud800", "x\udc00y"})
  void aNameThatNoStoreCouldKeepIsRefusedWhereItIsGiven(String bad) {
    assertThatThrownBy(() -> scene.lock(bad))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("name must ");
    assertThat(scene.engine.calls()).isEmpty();
  }

  @Test
  void aNameThatIsTooLongIsRefusedByItsBytes() {
    assertThatThrownBy(() -> scene.lock("x".repeat(513)))
        .hasMessageContainingAll("512", "bytes=513");
    assertThatThrownBy(() -> scene.lock("\u4e2d".repeat(171)))
        .hasMessageContainingAll("512", "bytes=513");
  }

  @Test
  void everyPrimitiveChecksItsNameBeforeItIsUsed() {
    TestWorld world = new TestWorld();
    Holdfast holdfast = Holdfast.open(ScriptedEngine.on(world), HoldfastOptions.DEFAULTS, world);
    assertThatThrownBy(() -> holdfast.lock("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> holdfast.lock("{}", "")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> holdfast.readWriteLock(""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> holdfast.semaphore("", 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> holdfast.multiLock("a", ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> holdfast.election("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> holdfast.once("", Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namespacesKeepTheSameNamesApart() throws Exception {
    TestWorld world = new TestWorld();
    Holdfast holdfast = Holdfast.open(ScriptedEngine.on(world), HoldfastOptions.DEFAULTS, world);
    Holdfast other = holdfast.with(o -> o.withNamespace("billing"));
    Hold one = holdfast.lock("a").tryAcquire().orElseThrow();
    Hold two = other.lock("a").tryAcquire().orElseThrow();
    assertThat(one.isHeld() && two.isHeld()).isTrue();
    assertThat(other.lock("a").tryAcquire()).isEmpty();
  }
}
