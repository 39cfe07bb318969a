package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import io.holdfast.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * U26: when a lock is busy, exactly what {@link Locked} says happens. Runs and leaders elsewhere
 * are in {@link U54RunOnceTest}.
 */
@Timeout(60)
class U26BusyTest {

  private static final Duration LONG = Duration.ofSeconds(10);

  private AnnotationConfigApplicationContext context;
  private Holdfast holdfast;
  private Guarded guarded;

  static class Beans {
    /** Nothing listens there. */
    @Bean(defaultCandidate = false)
    @Qualifier("down")
    Holdfast down() {
      return Holdfast.connect("jdbc:postgresql://127.0.0.1:1/app?connectTimeout=1");
    }
  }

  static class Guarded {
    final AtomicInteger calls = new AtomicInteger();

    private String held() {
      calls.incrementAndGet();
      return Holds.require().name();
    }

    @Locked(name = "x", waitFor = "0s", onBusy = OnBusy.THROW)
    String busyThrows() {
      return held();
    }

    @Locked(name = "x", waitFor = "0s", onBusy = OnBusy.SKIP)
    void busySkips() {
      held();
    }

    @Locked(name = "x", waitFor = "0s", onBusy = OnBusy.SKIP)
    Optional<String> busyIsEmpty() {
      return Optional.of(held());
    }

    @Locked(name = "x", waitFor = "0s", onBusy = OnBusy.SKIP)
    CompletableFuture<String> busyFuture() {
      return CompletableFuture.completedFuture(held());
    }

    @Locked(name = "x", waitFor = "0s", onBusy = OnBusy.SKIP)
    CompletableFuture<Optional<String>> busyOptionalFuture() {
      return CompletableFuture.completedFuture(Optional.of(held()));
    }

    @Locked(name = "x", waitFor = "0s")
    CompletableFuture<String> busyFutureFails() {
      return CompletableFuture.completedFuture(held());
    }

    @Locked(name = "x", waitFor = "0s", onBusy = OnBusy.SKIP)
    Mono<String> busyMono() {
      return Mono.just(held());
    }

    @Locked(name = "x", waitFor = "0s", onBusy = OnBusy.SKIP)
    Flux<String> busyFlux() {
      return Flux.just(held(), "more");
    }

    @Locked(name = "x", waitFor = "0s")
    Mono<String> busyMonoFails() {
      return Mono.just(held());
    }

    @Locked(name = "x", waitFor = "10s", onBusy = OnBusy.SKIP)
    Optional<String> waitsAndSkips() {
      return Optional.of(held());
    }

    @Locked(name = "x", client = "down", waitFor = "500ms", onBusy = OnBusy.SKIP)
    Optional<String> storeIsDown() {
      return Optional.of(held());
    }

    @Locked(name = "x", client = "down", waitFor = "500ms", onBusy = OnBusy.SKIP)
    CompletableFuture<String> storeIsDownForFuture() {
      return CompletableFuture.completedFuture(held());
    }
  }

  @BeforeEach
  void start() {
    context = MemoryContext.start(Beans.class, Guarded.class);
    holdfast = context.getBean(Holdfast.class);
    guarded = context.getBean(Guarded.class);
  }

  @AfterEach
  void stop() {
    context.close();
  }

  private int runs() {
    return MemoryContext.target(guarded).calls.get();
  }

  /** Exactly the chosen policy, and the body never runs without a hold. */
  @Test
  void onBusyDecidesWhatABusyCallReturns() throws Exception {
    try (Hold other = holdfast.lock("x").acquire(LONG)) {
      int before = runs();
      assertThatThrownBy(guarded::busyThrows).isInstanceOf(LockTimeoutException.class);
      guarded.busySkips();
      assertThat(guarded.busyIsEmpty()).isEmpty();
      assertThat(guarded.busyFuture().get(10, TimeUnit.SECONDS)).isNull();
      assertThat(guarded.busyOptionalFuture().get(10, TimeUnit.SECONDS)).isEmpty();
      assertThatThrownBy(() -> guarded.busyFutureFails().join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(LockTimeoutException.class);
      assertThat(guarded.busyMono().block(LONG)).isNull();
      assertThat(guarded.busyFlux().collectList().block(LONG)).isEmpty();
      assertThatThrownBy(() -> guarded.busyMonoFails().block(LONG))
          .isInstanceOf(LockTimeoutException.class);
      assertThat(runs()).as("runs of the methods").isEqualTo(before);
    }
    int before = runs();
    guarded.busySkips();
    assertThat(guarded.busyThrows()).isEqualTo("x");
    assertThat(guarded.busyIsEmpty()).contains("x");
    assertThat(guarded.busyFuture().get(10, TimeUnit.SECONDS)).isEqualTo("x");
    assertThat(guarded.busyOptionalFuture().get(10, TimeUnit.SECONDS)).contains("x");
    assertThat(guarded.busyMono().block(LONG)).isEqualTo("x");
    assertThat(guarded.busyFlux().collectList().block(LONG)).containsExactly("x", "more");
    assertThat(runs()).isEqualTo(before + 7);
  }

  /** The fallback of a caller is what an empty result leads to. */
  @Test
  void anEmptyResultLeavesTheFallbackToTheCaller() throws Exception {
    try (Hold other = holdfast.lock("x").acquire(LONG)) {
      assertThat(guarded.busyIsEmpty().orElseGet(() -> "not " + other.name())).isEqualTo("not x");
    }
    assertThat(guarded.busyIsEmpty().orElse("not x")).isEqualTo("x");
  }

  @Test
  void aCallThatWaitsRunsWhenTheLockIsFree() throws Exception {
    CompletableFuture<Optional<String>> waiting;
    try (Hold other = holdfast.lock("x").acquire(LONG)) {
      waiting = Threads.supply(guarded::waitsAndSkips);
      holdfast.lock("later").call(LONG, hold -> hold.token());
      assertThat(waiting).isNotDone();
      assertThat(runs()).isZero();
    }
    assertThat(waiting.get(10, TimeUnit.SECONDS)).contains("x");
  }

  @Test
  void aTimeoutNamesTheHolder() throws Exception {
    try (Hold other = holdfast.lock("x").acquire(LONG)) {
      assertThatThrownBy(guarded::busyThrows)
          .isInstanceOf(LockTimeoutException.class)
          .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
    }
  }

  /** An outage is not a busy lock: whoever skips would stop working without noticing. */
  @Test
  void anUnreachableStoreIsNotBusy() {
    assertThatThrownBy(guarded::storeIsDown).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> guarded.storeIsDownForFuture().join())
        .hasCauseInstanceOf(StoreUnavailableException.class);
    assertThat(runs()).isZero();
  }
}
