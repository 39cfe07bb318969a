package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each option has its bounds, and a message that names the value and the rule. */
class HoldfastOptionsTest {

  private static final HoldfastOptions USUAL = HoldfastOptions.DEFAULTS;

  private static Arguments ok(UnaryOperator<HoldfastOptions> change) {
    return Arguments.of(change, "");
  }

  private static Arguments no(UnaryOperator<HoldfastOptions> change, String message) {
    return Arguments.of(change, message);
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  static Stream<Arguments> bounds() {
    return Stream.of(
        ok(o -> o.withLease(Duration.ofSeconds(2))),
        no(o -> o.withLease(ms(1_999)), "lease must be 2 s..86400 s: lease=1.999 s"),
        ok(o -> o.withLease(Duration.ofDays(1))),
        no(
            o -> o.withLease(Duration.ofDays(1).plusNanos(1)),
            "lease must be 2 s..86400 s: lease=86400.000000001 s"),
        no(o -> o.withFixedLease(ms(1)), "lease must be 2 s..86400 s: lease=1 ms"),
        ok(o -> o.withDrift(0.02)),
        no(o -> o.withDrift(0.0199), "drift must be 0.02..0.25: drift=0.0199"),
        ok(o -> o.withDrift(0.25)),
        no(o -> o.withDrift(0.26), "drift must be 0.02..0.25: drift=0.26"),
        no(o -> o.withDrift(Double.NaN), "drift must be 0.02..0.25: drift=NaN"),
        ok(o -> o.withMargin(ms(60))),
        no(o -> o.withMargin(ms(59)), "margin must be 60 ms..7.5 s: margin=59 ms"),
        ok(o -> o.withMargin(ms(7_500))),
        no(o -> o.withMargin(ms(7_501)), "margin must be 60 ms..7.5 s: margin=7.501 s"),
        ok(o -> o.withLockDelay(Duration.ZERO)),
        ok(o -> o.withLockDelay(Duration.ofSeconds(60))),
        no(o -> o.withLockDelay(ms(-1)), "lockDelay must be 0 s..60 s: lockDelay=-1 ms"),
        no(o -> o.withLockDelay(ms(60_001)), "lockDelay must be 0 s..60 s: lockDelay=60.001 s"),
        ok(o -> o.withMaxHold(ms(1))),
        no(o -> o.withMaxHold(Duration.ZERO), "maxHold must be 1 ms..315360000 s: maxHold=0 s"),
        ok(o -> o.withGeneration(127)),
        no(o -> o.withGeneration(128), "generation must be 0..127: generation=128"),
        no(o -> o.withGeneration(-1), "generation must be 0..127: generation=-1"),
        ok(o -> o.withOperationTimeout(ms(50))),
        no(
            o -> o.withOperationTimeout(ms(49)),
            "operationTimeout must be 50 ms..60 s: operationTimeout=49 ms"),
        no(
            o -> o.withOperationTimeout(ms(60_001)),
            "operationTimeout must be 50 ms..60 s: operationTimeout=60.001 s"),
        ok(o -> o.withLanes(0)),
        ok(o -> o.withLanes(64)),
        no(o -> o.withLanes(65), "lanes must be 0..64: lanes=65"),
        no(o -> o.withLanes(-1), "lanes must be 0..64: lanes=-1"),
        ok(o -> o.withQueueLimit(1)),
        no(o -> o.withQueueLimit(0), "queueLimit must be 1..10000000: queueLimit=0"),
        no(
            o -> o.withQueueLimit(10_000_001),
            "queueLimit must be 1..10000000: queueLimit=10000001"),
        ok(o -> o.withNamespace("a.b-c_9")),
        no(
            o -> o.withNamespace("Billing"),
            "namespace must match [a-z0-9][a-z0-9._-]{0,62}: namespace=\"Billing\""),
        no(
            o -> o.withNamespace(""),
            "namespace must match [a-z0-9][a-z0-9._-]{0,62}: namespace=\"\""));
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void everyBoundIsChecked(UnaryOperator<HoldfastOptions> change, String message) {
    if (message.isEmpty()) {
      assertThat(change.apply(USUAL)).isNotNull();
    } else {
      assertThatThrownBy(() -> change.apply(USUAL))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(message);
    }
  }

  @Test
  void aShorterLeaseMustLeaveRoomForTheMargin() {
    HoldfastOptions wide = USUAL.withMargin(ms(7_000));
    assertThatThrownBy(() -> wide.withLease(Duration.ofSeconds(20)))
        .hasMessage("margin must be 60 ms..5 s: margin=7 s");
  }

  @Test
  void eachWitherChangesItsOwnOptionAndNothingElse() {
    HoldfastListener listener = event -> {};
    AcquireTracer tracer = acquire -> AcquireTracer.Span.NONE;
    HoldfastOptions all =
        USUAL
            .withNamespace("billing")
            .withOrder(Order.FIFO)
            .withFixedLease(Duration.ofSeconds(9))
            .withDrift(0.1)
            .withMargin(ms(200))
            .withLockDelay(ms(300))
            .withMaxHold(ms(400))
            .withGeneration(5)
            .withApp("app")
            .withText("text")
            .withOperationTimeout(ms(600))
            .withLanes(7)
            .withQueueLimit(8)
            .withFailFast(true)
            .withTraceAcquires(false)
            .withListener(listener)
            .withTracer(tracer);
    assertThat(all)
        .isEqualTo(
            new HoldfastOptions(
                "billing",
                Order.FIFO,
                Duration.ofSeconds(9),
                true,
                0.1,
                ms(200),
                ms(300),
                Optional.of(ms(400)),
                5,
                "app",
                "text",
                ms(600),
                7,
                8,
                true,
                false,
                listener,
                tracer));
    assertThat(USUAL.namespace()).isEqualTo("default");
  }

  @Test
  void strictTakesTenPercent() {
    assertThat(USUAL.strict().drift()).isEqualTo(0.1);
    assertThat(USUAL.drift()).isEqualTo(0.05);
  }
}
