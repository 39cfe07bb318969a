package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockLostException;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Rule 7: held until the stage completes, or from subscription to the end of the publisher. */
@Timeout(60)
class Rule07FuturesAndPublishersTest {

  private static final Duration LONG = Duration.ofSeconds(10);

  private static AnnotationConfigApplicationContext context;
  private static Holdfast holdfast;
  private static Work work;

  static class Work {
    private final Nested nested;

    Work(Nested nested) {
      this.nested = nested;
    }

    @Locked("future/{#ids}")
    CompletableFuture<String> future(List<String> ids, CompletableFuture<String> body) {
      assertThat(Holds.all()).hasSize(ids.size());
      return body;
    }

    @Locked("stage")
    CompletionStage<Long> stage(@Token long token) {
      return CompletableFuture.completedFuture(token);
    }

    @Locked("stage")
    CompletableFuture<Thread> futureThread() {
      return CompletableFuture.completedFuture(Thread.currentThread());
    }

    @Locked("mono")
    Mono<Thread> monoThread() {
      return Mono.just(Thread.currentThread());
    }

    @Locked("none")
    CompletableFuture<String> noStage() {
      return null;
    }

    @Locked("future/a")
    CompletableFuture<String> throwing() {
      throw new IllegalArgumentException("of the method");
    }

    @Locked("mono")
    Mono<String> mono(Mono<String> body) {
      return body;
    }

    @Locked("mono")
    Mono<Long> token(@Token long token) {
      return Mono.just(token);
    }

    @Locked("flux/{#ids}")
    Flux<String> flux(List<String> ids, Flux<String> body) {
      return body;
    }

    @Locked("chain")
    Mono<String> joins() {
      return Mono.defer(nested::joined).map(token -> "joined " + (token > 0));
    }
  }

  static class Nested {
    @Locked(name = "chain", waitFor = "0s")
    Mono<Long> joined() {
      return Mono.fromSupplier(() -> Holds.current().map(Hold::token).orElse(1L));
    }
  }

  @BeforeAll
  static void start() {
    context = MemoryContext.start(Work.class, Nested.class);
    holdfast = context.getBean(Holdfast.class);
    work = context.getBean(Work.class);
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @AfterEach
  void nothingIsLeft() {
    Operators.awaitEmpty(holdfast);
    assertThat(Holds.all()).isEmpty();
  }

  private static void awaitHeld(String... names) {
    Await.until("holds", LONG, () -> Operators.names(holdfast).equals(List.of(names)));
  }

  @Test
  void aFutureIsHeldUntilItCompletes() throws Exception {
    CompletableFuture<String> body = new CompletableFuture<>();
    CompletableFuture<String> result = work.future(List.of("b", "a"), body);
    awaitHeld("future/a", "future/b");
    body.complete("x");
    assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("x");
    assertThat(Operators.names(holdfast)).isEmpty();
    assertThat(work.stage(-1).toCompletableFuture().join()).isPositive();
  }

  /** It may be an event loop; a grant is often quicker than its caller can wait for it. */
  @Test
  void theMethodNeverRunsOnTheThreadOfItsCaller() {
    for (int i = 0; i < 500; i++) {
      assertThat(work.futureThread().join()).isNotSameAs(Thread.currentThread());
      assertThat(work.monoThread().block(LONG)).isNotSameAs(Thread.currentThread());
    }
  }

  /** The first name is held already when the second turns out to be none. */
  @Test
  void aNameThatCannotBeLockedFailsTheCall() {
    List<String> ids = List.of("a", "b".repeat(600));
    assertThatThrownBy(() -> work.future(ids, new CompletableFuture<>()).get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> work.flux(ids, Flux.never()).blockFirst(LONG))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFutureThatFailsReleases() {
    assertThatThrownBy(
            () ->
                work.future(
                        List.of("a"),
                        CompletableFuture.failedFuture(new IllegalStateException("f")))
                    .join())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("f");
    assertThatThrownBy(() -> work.throwing().join())
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> work.noStage().join())
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("returned null");
  }

  @Test
  void aCancelledFutureLeavesTheLine() throws Exception {
    try (Hold other = holdfast.lock("future/b").acquire(LONG)) {
      CompletableFuture<String> result =
          work.future(List.of("a", "b"), new CompletableFuture<String>());
      awaitHeld("future/a", "future/b");
      result.cancel(true);
      Await.until("a to be released", LONG, () -> Operators.isFree(holdfast, "future/a"));
    }
  }

  /** Cancelling does not stop the work, so the hold stays until it has ended. */
  @Test
  void aCancelledFutureKeepsTheHoldWhileItsWorkGoesOn() {
    CompletableFuture<String> body = new CompletableFuture<>();
    CompletableFuture<String> result = work.future(List.of("a"), body);
    awaitHeld("future/a");
    result.cancel(true);
    assertThat(Operators.names(holdfast)).containsExactly("future/a");
    body.complete("late");
  }

  @Test
  void aLossFailsTheFuture() {
    CompletableFuture<String> body = new CompletableFuture<>();
    CompletableFuture<String> result = work.future(List.of("a"), body);
    awaitHeld("future/a");
    evict("future/a");
    body.complete("x");
    assertThatThrownBy(result::join).hasCauseInstanceOf(LockLostException.class);
  }

  private static void evict(String name) {
    try {
      var inspector = holdfast.inspector().orElseThrow();
      var resource = new io.holdfast.spi.Resource("default", name);
      long token = inspector.show(resource).orElseThrow().tickets().get(0).token();
      inspector.evict(resource, token, "a test");
      Await.until("the loss", LONG, () -> holdfast.stats().held() == 0);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aMonoIsHeldFromSubscriptionToEnd() {
    Sinks.One<String> body = Sinks.one();
    Mono<String> mono = work.mono(body.asMono());
    assertThat(Operators.names(holdfast)).as("before subscription").isEmpty();
    CompletableFuture<String> result = mono.toFuture();
    awaitHeld("mono");
    body.tryEmitValue("x");
    assertThat(result.join()).isEqualTo("x");
    assertThat(Operators.names(holdfast)).as("when the value arrives").isEmpty();
    Mono<Long> tokens = work.token(-1);
    assertThat(tokens.block(LONG)).isLessThan(tokens.block(LONG));
    assertThatThrownBy(
            () -> work.mono(Mono.error(new IllegalStateException("of the body"))).block(LONG))
        .hasMessage("of the body");
  }

  @Test
  void aFluxIsHeldToItsEndOrCancellation() {
    List<String> seen = new ArrayList<>();
    work.flux(List.of("b", "a"), Flux.just("x", "y"))
        .doOnNext(value -> seen.add(value + Operators.names(holdfast)))
        .blockLast(LONG);
    assertThat(seen).containsExactly("x[flux/a, flux/b]", "y[flux/a, flux/b]");
    Operators.awaitEmpty(holdfast);
    Disposable endless = work.flux(List.of("a"), Flux.never()).subscribe();
    awaitHeld("flux/a");
    endless.dispose();
    Operators.awaitEmpty(holdfast);
  }

  @Test
  void aLossFailsThePublisher() {
    Sinks.One<String> body = Sinks.one();
    CompletableFuture<String> result = work.mono(body.asMono()).toFuture();
    awaitHeld("mono");
    evict("mono");
    body.tryEmitValue("x");
    assertThatThrownBy(result::join).hasCauseInstanceOf(LockLostException.class);
  }

  @Test
  void rule04TheSameChainOfPublishersJoins() {
    assertThat(work.joins().block(LONG)).isEqualTo("joined true");
  }

  @Test
  void subscribersThatCancelAtAnyMomentLeaveNothing() {
    for (int i = 0; i < 200; i++) {
      Disposable subscriber = work.mono(Mono.never()).subscribe();
      if (i % 3 == 0) {
        Thread.onSpinWait();
      }
      subscriber.dispose();
    }
    Operators.awaitEmpty(holdfast);
    Await.until("no hold", LONG, () -> holdfast.stats().held() == 0);
  }

  /** The only thread of a scheduler is free while a subscription waits, and while it releases. */
  @Test
  void theSubscribersThreadIsNotBlocked() throws Exception {
    Scheduler loop = Schedulers.newSingle("loop");
    try (Hold other = holdfast.lock("mono").acquire(LONG)) {
      CompletableFuture<String> result =
          work.mono(Mono.just("x").publishOn(loop)).subscribeOn(loop).toFuture();
      CountDownLatch ran = new CountDownLatch(1);
      loop.schedule(ran::countDown);
      assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(result).isNotDone();
      other.release();
      assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("x");
    } finally {
      loop.dispose();
    }
  }
}
