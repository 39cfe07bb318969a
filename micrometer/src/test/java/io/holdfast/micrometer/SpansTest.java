package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import io.micrometer.tracing.test.simple.SpanAssert;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a tracing library makes of an acquire: a span in the trace of its caller. */
@Timeout(60)
class SpansTest {

  private static final Duration WAIT = Duration.ofSeconds(20);

  private final SimpleTracer tracer = new SimpleTracer();
  private final ObservationRegistry registry = ObservationRegistry.create();
  private final Holdfast holdfast =
      Holdfast.connect(
          "memory:", HoldfastOptions.DEFAULTS.withTracer(HoldfastObservations.of(registry)));

  SpansTest() {
    registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
  }

  @AfterEach
  void close() {
    holdfast.close();
  }

  /** The newest span: its name is set when it ends. */
  private SimpleSpan last() {
    return List.copyOf(tracer.getSpans()).get(tracer.getSpans().size() - 1);
  }

  private static void assertChild(SimpleSpan child, Span parent) {
    assertThat(child.context().traceId()).isEqualTo(parent.context().traceId());
    assertThat(child.context().parentId()).isEqualTo(parent.context().spanId());
  }

  @Test
  void aBlockingAcquireIsAChildOfTheCallersSpan() throws Exception {
    Span caller = tracer.nextSpan().name("caller").start();
    try (Tracer.SpanInScope scope = tracer.withSpan(caller)) {
      holdfast.lock("orders/{}", 42).acquire(WAIT).release();
      assertThat(tracer.currentSpan()).isEqualTo(caller);
    }
    caller.end();
    SimpleSpan span = last();
    assertChild(span, caller);
    SpanAssert.assertThat(span)
        .hasNameEqualTo("acquire orders/{}")
        .isEnded()
        .hasTag("lock", "orders/{}")
        .hasTag("lock.name", "orders/42")
        .hasTag("kind", "mutex")
        .hasTag("outcome", "acquired");
  }

  @Test
  void anAcquireThatEndsOnAnotherThreadIsAChildOfItsCallersSpan() throws Exception {
    Hold first = holdfast.lock("a").acquire(WAIT);
    Observation request = Observation.start("request", registry);
    CompletableFuture<Hold> second;
    Span caller;
    try (Observation.Scope scope = request.openScope()) {
      caller = tracer.currentSpan();
      second = holdfast.lock("a").acquireAsync(WAIT);
    }
    request.stop();
    SimpleSpan span = last();
    assertChild(span, caller);
    SpanAssert.assertThat(span).isNotEnded();
    Thread other = new Thread(first::release);
    other.start();
    other.join();
    second.get(20, TimeUnit.SECONDS).release();
    SpanAssert.assertThat(span)
        .isEnded()
        .hasNameEqualTo("acquire untagged")
        .hasTag("outcome", "handed_over");
  }
}
