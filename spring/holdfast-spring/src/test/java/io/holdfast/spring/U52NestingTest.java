package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockLostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * U52, rules 4 and 5: three deep, with the same and with different names and exceptions at each
 * level, every hold is released exactly once and in reverse order; a loss is reported.
 */
@Timeout(60)
class U52NestingTest {

  private static AnnotationConfigApplicationContext context;
  private static Holdfast holdfast;
  private static Outer outer;
  private static MemoryContext.Events events;

  static class Boom extends Exception {}

  /** Calls that go three levels down; the level with the number in {@code failAt} throws. */
  static class Outer {
    final Middle middle;
    Hold hold;

    Outer(Middle middle) {
      this.middle = middle;
    }

    @Locked("a")
    long different(int failAt) throws Boom {
      long token = Holds.require("a").token();
      try {
        middle.different(failAt);
        assertThat(Holds.current().orElseThrow().name()).isEqualTo("a");
      } finally {
        assertThat(Holds.require("a").token()).isEqualTo(token);
      }
      return failIf(failAt == 1, token);
    }

    @Locked("same")
    long same(int failAt) throws Boom {
      long token = Holds.require().token();
      assertThat(middle.same(failAt)).isEqualTo(token);
      assertThat(Operators.names(holdfast)).containsExactly("same");
      return failIf(failAt == 1, token);
    }

    @Locked("{#names}")
    void several(List<String> names, List<String> inner) {
      middle.several(inner);
      assertThat(Operators.names(holdfast)).containsExactlyElementsOf(names);
    }

    @Locked("lost")
    void loses(boolean andThrows, boolean andCalls) throws Boom {
      hold = Holds.require();
      Operators.takeAway(holdfast, hold);
      if (andCalls) {
        middle.joins();
      }
      failIf(andThrows, 0);
    }

    @Locked(name = "rw", side = LockSide.WRITE)
    long writes() {
      return middle.reads();
    }

    @Locked("async")
    CompletableFuture<String> starts(CountDownLatch go) {
      return middle.waits(go);
    }
  }

  static class Middle {
    final Inner inner;

    Middle(Inner inner) {
      this.inner = inner;
    }

    @Locked("b")
    void different(int failAt) throws Boom {
      inner.different(failAt);
      failIf(failAt == 2, 0);
    }

    @Locked("same")
    long same(int failAt) throws Boom {
      long token = inner.same(failAt);
      assertThat(Operators.names(holdfast)).as("after the innermost").containsExactly("same");
      return failIf(failAt == 2, token);
    }

    @Locked("{#names}")
    void several(List<String> names) {
      assertThat(Holds.all()).hasSizeGreaterThanOrEqualTo(names.size());
    }

    @Locked("lost")
    void joins() {
      throw new AssertionError("ran under a lost hold");
    }

    @Locked(name = "rw", side = LockSide.READ)
    long reads() {
      return Holds.require().token();
    }

    @Locked("later")
    CompletableFuture<String> waits(CountDownLatch go) {
      return Threads.supply(
          () -> {
            try {
              go.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return "done";
          });
    }
  }

  static class Inner {
    @Locked("c")
    void different(int failAt) throws Boom {
      assertThat(Holds.all().stream().map(Hold::name)).containsExactly("c", "b", "a");
      failIf(failAt == 3, 0);
    }

    @Locked("same")
    long same(int failAt) throws Boom {
      return failIf(failAt == 3, Holds.require().token());
    }
  }

  private static long failIf(boolean fail, long token) throws Boom {
    if (fail) {
      throw new Boom();
    }
    return token;
  }

  @BeforeAll
  static void start() {
    context = MemoryContext.start(Outer.class, Middle.class, Inner.class);
    holdfast = context.getBean(Holdfast.class);
    outer = context.getBean(Outer.class);
    events = context.getBean(MemoryContext.Events.class);
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @BeforeEach
  void clear() {
    events.all.clear();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void differentNamesAreReleasedInReverseOrder(int failAt) throws Exception {
    if (failAt == 0) {
      assertThat(outer.different(failAt)).isPositive();
    } else {
      assertThatThrownBy(() -> outer.different(failAt)).isInstanceOf(Boom.class);
    }
    assertThat(events.releasedTags()).containsExactly("c", "b", "a");
    assertThat(Operators.names(holdfast)).isEmpty();
    assertThat(Holds.all()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void theSameNameIsJoinedAndReleasedOnce(int failAt) throws Exception {
    if (failAt == 0) {
      assertThat(outer.same(failAt)).isPositive();
    } else {
      assertThatThrownBy(() -> outer.same(failAt)).isInstanceOf(Boom.class);
    }
    assertThat(events.releasedTags()).containsExactly("same");
    assertThat(Operators.names(holdfast)).isEmpty();
    assertThat(Holds.all()).isEmpty();
  }

  @Test
  void aWriterIsJoinedByAReader() {
    assertThat(outer.writes()).isPositive();
    assertThat(events.releasedTags()).containsExactly("rw");
  }

  @Test
  void severalNamesAreAcquiredInOneOrderAndJoinedOneByOne() {
    outer.several(List.of("1", "2"), List.of("2", "1"));
    assertThat(events.releasedTags()).hasSize(2);
    outer.several(List.of("1", "2"), List.of("3", "2"));
    assertThat(Operators.names(holdfast)).isEmpty();
  }

  /** U42: overlapping sets in opposite orders. */
  @Test
  void overlappingSetsDoNotDeadlock() throws Exception {
    CompletableFuture<?>[] all = new CompletableFuture<?>[8];
    for (int i = 0; i < all.length; i++) {
      List<String> names = i % 2 == 0 ? List.of("1", "2", "3") : List.of("3", "2", "1");
      all[i] =
          Threads.run(
              () -> {
                for (int n = 0; n < 25; n++) {
                  context.getBean(Middle.class).several(names);
                }
              });
    }
    CompletableFuture.allOf(all).get(30, TimeUnit.SECONDS);
    assertThat(Operators.names(holdfast)).isEmpty();
  }

  @Test
  void rule05ALossIsReportedToTheCaller() {
    assertThatThrownBy(() -> outer.loses(false, false))
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("lost");
    assertThat(Holds.all()).isEmpty();
  }

  @Test
  void rule05ALossDoesNotHideWhatTheMethodThrew() {
    assertThatThrownBy(() -> outer.loses(true, false))
        .isInstanceOf(Boom.class)
        .satisfies(
            boom ->
                assertThat(boom.getSuppressed())
                    .singleElement()
                    .isInstanceOf(LockLostException.class));
  }

  @Test
  void rule05ALostHoldIsNotJoined() {
    assertThatThrownBy(() -> outer.loses(false, true)).isInstanceOf(LockLostException.class);
  }

  /** Nothing of an outer call is shared with a stage that may outlive it. */
  @Test
  void aFutureHasAHoldOfItsOwn() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<String> running = outer.starts(go);
    io.holdfast.rig.time.Await.until(
        "both holds",
        Operators.BOUND,
        () -> Operators.names(holdfast).equals(List.of("async", "later")));
    go.countDown();
    assertThat(running.get(10, TimeUnit.SECONDS)).isEqualTo("done");
    assertThat(events.releasedTags()).containsExactly("later", "async");
  }
}
