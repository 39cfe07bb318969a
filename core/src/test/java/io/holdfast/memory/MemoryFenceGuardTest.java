package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.StaleTokenException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryFenceGuardTest {

  private static final String FILE = "file";

  private final MemoryFenceGuard guard = new MemoryFenceGuard();

  private void accepts(Runnable step) {
    assertThatCode(step::run).doesNotThrowAnyException();
  }

  private void refuses(Runnable step, long token, long current) {
    assertThatThrownBy(step::run)
        .isInstanceOf(StaleTokenException.class)
        .hasMessageContaining(FILE)
        .hasMessageContaining(Long.toString(token))
        .hasMessageContaining(Long.toString(current));
  }

  private static Hold hold(String id, long token) {
    return hold("default", id, token);
  }

  /** A hold that knows its namespace, id, name and token, and nothing else. */
  private static Hold hold(String namespace, String id, long token) {
    Map<String, Object> facts =
        Map.of("namespace", namespace, "id", id, "name", FILE, "token", token);
    return (Hold)
        Proxy.newProxyInstance(
            Hold.class.getClassLoader(),
            new Class<?>[] {Hold.class},
            (self, method, arguments) -> facts.get(method.getName()));
  }

  @Test
  void holdsOfOneNameInTwoNamespacesDoNotOvertakeEachOther() {
    accepts(() -> guard.claim(hold("blue", "a", 40)));
    accepts(() -> guard.claim(hold("green", "b", 30)));
    accepts(() -> guard.claim(hold("b", 20)));
    accepts(() -> guard.admit(hold("green", "r", 31)));
    refuses(() -> guard.inNamespace("blue").claim(FILE, 39, "c"), 39, 40);
    refuses(() -> guard.claim(hold("green", "c", 29)), 29, 30);
  }

  @Test
  void aHoldShowsItsOwnNameTokenAndId() {
    accepts(() -> guard.claim(hold("a", 33)));
    accepts(() -> guard.admit(hold("r", 34)));
    accepts(() -> guard.claim(hold("b", 35)));
    refuses(() -> guard.claim(hold("a", 33)), 33, 35);
    refuses(() -> guard.admit(hold("r", 34)), 34, 35);
    refuses(() -> guard.claim(FILE, 35, "c"), 35, 35);
  }

  @Test
  void aLaterHolderClaimsAndAnEarlierOneIsOutForGood() {
    accepts(() -> guard.claim(FILE, 33, "a"));
    accepts(() -> guard.claim(FILE, 34, "b"));
    refuses(() -> guard.claim(FILE, 33, "a"), 33, 34);
  }

  @Test
  void theSameHoldMayClaimAgain() {
    accepts(() -> guard.claim(FILE, 33, "a"));
    accepts(() -> guard.claim(FILE, 33, "a"));
  }

  @Test
  void theSameTokenOfAnotherHoldIsRefused() {
    accepts(() -> guard.claim(FILE, 33, "a"));
    refuses(() -> guard.claim(FILE, 33, "b"), 33, 33);
    refuses(() -> guard.admit(FILE, 33, "b"), 33, 33);
  }

  @Test
  void aRefusedClaimChangesNothing() {
    accepts(() -> guard.claim(FILE, 34, "b"));
    refuses(() -> guard.claim(FILE, 33, "a"), 33, 34);
    accepts(() -> guard.claim(FILE, 34, "b"));
  }

  @Test
  void sharedHoldersAreAdmittedTogetherInAnyOrderOfTheirTokens() {
    accepts(() -> guard.claim(FILE, 33, "w"));
    accepts(() -> guard.admit(FILE, 36, "r2"));
    accepts(() -> guard.admit(FILE, 35, "r1"));
  }

  @Test
  void sharedHoldersFromBeforeTheLastClaimAreRefused() {
    accepts(() -> guard.admit(FILE, 35, "r1"));
    accepts(() -> guard.claim(FILE, 36, "w"));
    refuses(() -> guard.admit(FILE, 35, "r1"), 35, 36);
  }

  @Test
  void theClaimingHolderIsAdmittedAfterItsDowngrade() {
    accepts(() -> guard.claim(FILE, 36, "w"));
    accepts(() -> guard.admit(FILE, 36, "w"));
  }

  @Test
  void resourcesDoNotKnowEachOther() {
    accepts(() -> guard.claim("other", 99, "a"));
    accepts(() -> guard.claim(FILE, 1, "b"));
  }
}
