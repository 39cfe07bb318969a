package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How stores are shared and opened, and that nothing stays behind in them. */
class MemoryStoreTest {

  private static final Shape MUTEX = Shape.mutex(Order.ANY);
  private static final EngineProvider.Settings SETTINGS =
      new EngineProvider.Settings(
          Scene.LEASE, Duration.ofSeconds(2), 0, System::nanoTime, () -> 64_000_000L);

  private final Scene scene = new Scene();
  private final MemoryEngineProvider provider = new MemoryEngineProvider();

  private LockEngine open(String uri) {
    return provider.open(uri, SETTINGS);
  }

  private static Standing attempt(LockEngine engine, Ticket ticket) throws Exception {
    return engine.attempt(ticket, () -> {});
  }

  @Test
  void namesThatWereUsedOnceLeaveNothingBehind() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      Ticket ticket = scene.ticket(new Resource("default", "order/" + i), MUTEX, 1);
      scene.granted(ticket);
      scene.leave(ticket);
    }
    assertThat(scene.isClean()).isTrue();
  }

  @Test
  void refusedAndImpatientAttemptsLeaveNothingBehind() throws Exception {
    Ticket holder = scene.ticket(MUTEX);
    scene.granted(holder);
    scene.waiting(scene.impatient(MUTEX));
    assertThatThrownBy(() -> scene.attempt(scene.ticket(Shape.readWrite())))
        .isInstanceOf(Refused.class);
    scene.leave(holder);
    assertThat(scene.isClean()).isTrue();
  }

  @Test
  void abandonedNamesAreForgottenAsOthersCome() throws Exception {
    for (int i = 0; i < 50_000; i++) {
      scene.granted(scene.ticket(new Resource("default", "order/" + i), MUTEX, 1));
      scene.passMillis(100);
    }
    assertThat(scene.engine.store().lines()).hasSizeLessThan(2_000);
  }

  @Test
  void departuresAreForgottenAsOthersCome() throws Exception {
    for (int i = 0; i < 50_000; i++) {
      scene.engine.leave(scene.ticket(MUTEX), true);
      scene.passMillis(100);
    }
    assertThat(scene.engine.store().departures.size()).isLessThan(400);
  }

  @Test
  void aStoreWithoutANameBelongsToOneClient() throws Exception {
    try (LockEngine one = open("memory:");
        LockEngine two = open("memory:")) {
      assertThat(attempt(one, scene.ticket(MUTEX))).isInstanceOf(Standing.Granted.class);
      assertThat(attempt(two, scene.ticket(MUTEX))).isInstanceOf(Standing.Granted.class);
    }
  }

  @Test
  void aStoreWithANameIsSharedByAllWhoOpenIt() throws Exception {
    try (LockEngine one = open("memory:shared-by-all");
        LockEngine two = open("memory:shared-by-all");
        LockEngine other = open("memory:another")) {
      assertThat(attempt(one, scene.ticket(MUTEX))).isInstanceOf(Standing.Granted.class);
      assertThat(attempt(two, scene.ticket(MUTEX))).isInstanceOf(Standing.Waiting.class);
      assertThat(attempt(other, scene.ticket(MUTEX))).isInstanceOf(Standing.Granted.class);
      assertThat(one.traits().store()).isEqualTo("memory:shared-by-all");
    }
  }

  @Test
  void aSharedStoreLivesWhileAnyoneHasItOpen() throws Exception {
    LockEngine one = open("memory:lives");
    LockEngine two = open("memory:lives");
    attempt(one, scene.ticket(MUTEX));
    one.close();
    one.close();
    assertThat(attempt(two, scene.ticket(MUTEX))).isInstanceOf(Standing.Waiting.class);
    two.close();
    try (LockEngine three = open("memory:lives")) {
      assertThat(attempt(three, scene.ticket(MUTEX))).isInstanceOf(Standing.Granted.class);
    }
  }

  @Test
  void theTokensOfASharedStoreKeepRisingWhenItIsOpenedAgain() throws Exception {
    long last = 0;
    for (int i = 0; i < 3; i++) {
      try (LockEngine engine = open("memory:rising")) {
        for (int k = 0; k < 10; k++) {
          Ticket ticket = scene.ticket(MUTEX);
          Standing.Granted granted = (Standing.Granted) attempt(engine, ticket);
          assertThat(granted.token()).isGreaterThan(last);
          last = granted.token();
          engine.leave(ticket, false);
        }
      }
    }
  }

  @Test
  void aClosedEngineRefusesEverything() {
    scene.engine.close();
    Ticket ticket = scene.ticket(Shape.once());
    assertThatThrownBy(() -> scene.attempt(ticket))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> scene.renew(ticket)).isInstanceOf(Refused.class);
    assertThatThrownBy(() -> scene.leave(ticket)).isInstanceOf(Refused.class);
    assertThatThrownBy(() -> scene.engine.settle(ticket, Scene.LEASE)).isInstanceOf(Refused.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"memory", "memory://host", "memory:a?x=1", "memory:a/b", "memory: ", "redis:a"})
  void anyOtherAddressIsRefusedByTheRule(String uri) {
    assertThatThrownBy(() -> open(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memory:NAME")
        .hasMessageContaining("not shown");
  }

  @Test
  void itIsFoundByItsScheme() {
    assertThat(ServiceLoader.load(EngineProvider.class))
        .anySatisfy(found -> assertThat(found.schemes()).containsExactly("memory"));
  }
}
