package io.holdfast.ids.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ids.IdLayout;
import io.holdfast.ids.Ids;
import io.holdfast.ids.SegmentOptions;
import io.holdfast.ids.TimelineOptions;
import io.holdfast.spi.Counter;
import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.Resource;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.Sandbox;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All generators of a name make ids in one way; who would make them in another is refused. */
class IdSchemeRecordTest {

  private static final Instant EPOCH = Instant.parse("2025-01-01T00:00:00Z");

  private final Sandbox sandbox = Sandbox.open();
  private final ManualTime time = sandbox.time();

  @AfterEach
  void close() {
    sandbox.close();
  }

  private Ids ids() {
    return Ids.over(sandbox.connect(), time);
  }

  private static TimelineOptions in(IdLayout layout) {
    return TimelineOptions.DEFAULTS.withLayout(layout);
  }

  static List<IdLayout> others() {
    return List.of(
        IdLayout.JAVASCRIPT,
        new IdLayout(EPOCH.plusMillis(1), Duration.ofMillis(1), 41, 10, 12),
        new IdLayout(EPOCH.minusSeconds(3600L * 24 * 365 * 60), Duration.ofMillis(2), 41, 10, 12),
        new IdLayout(EPOCH, Duration.ofMillis(10), 41, 10, 12),
        new IdLayout(EPOCH, Duration.ofMillis(1), 40, 10, 12),
        new IdLayout(EPOCH, Duration.ofMillis(1), 41, 9, 12),
        new IdLayout(EPOCH, Duration.ofMillis(1), 41, 11, 11));
  }

  @ParameterizedTest
  @MethodSource("others")
  void another_layout_is_refused_and_both_are_named(IdLayout other) {
    ids().timeline("orders").close();
    assertThatThrownBy(() -> ids().timeline("orders", in(other)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("\"orders\"")
        .hasMessageContaining("are " + new IdScheme.Timed(IdLayout.STANDARD))
        .hasMessageContaining("requested as " + new IdScheme.Timed(other));
    ids().timeline("orders").close();
    ids().timeline("others", in(other)).close();
    assertThatThrownBy(() -> ids().timeline("others"))
        .hasMessageContaining("are " + new IdScheme.Timed(other));
  }

  @Test
  void time_ordered_and_counted_ids_do_not_share_a_name() {
    ids().timeline("orders").close();
    assertThatThrownBy(() -> ids().segment("orders"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("are time-ordered")
        .hasMessageContaining("requested as numbers of a counter");
    assertThatThrownBy(() -> ids().counter("orders")).isInstanceOf(IllegalStateException.class);
    ids().counter("invoices").close();
    assertThatThrownBy(() -> ids().timeline("invoices"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("are numbers of a counter");
  }

  @Test
  void segments_and_counters_share_a_name_unless_only_one_follows_the_clock() {
    SegmentOptions small = SegmentOptions.DEFAULTS.withClock(SegmentOptions.Clocked.NO);
    ids().segment("orders").close();
    ids().counter("orders").close();
    assertThatThrownBy(() -> ids().counter("orders", small))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("follows the store's clock");
    ids().counter("small", small).close();
    ids().segment("small", small.withFloor(1_000).withSteps(10, 10)).close();
    assertThatThrownBy(() -> ids().segment("small")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void names_that_begin_alike_are_others() {
    ids().timeline("orders").close();
    ids().segment("orders/worker/1").close();
    ids().counter("ids.plan/orders").close();
    ids().timeline("orders").close();
  }

  @Test
  void a_record_that_is_a_little_ahead_says_the_same_and_is_put_right() throws Exception {
    ids().timeline("orders").close();
    Counter counter = sandbox.holdfast().counter().orElseThrow();
    Resource code = new Resource("default", "ids.plan/orders");
    // As somebody leaves it who is killed while reading.
    long stood = counter.take(new Ask(code, 3, 0, false));
    assertThatThrownBy(() -> ids().segment("orders")).hasMessageContaining("are time-ordered");
    assertThat(counter.giveBack(code, stood, stood)).isTrue();
    ids().timeline("orders").close();
  }

  @Test
  void a_first_one_that_was_killed_before_its_record_was_whole_leaves_nothing() throws Exception {
    Counter counter = sandbox.holdfast().counter().orElseThrow();
    long ignored =
        counter.take(
            new Ask(new Resource("default", "ids.epoch/orders"), 1, Counter.HIGHEST_FLOOR, false));
    ids().timeline("orders").close();
    ids().timeline("orders").close();
    assertThatThrownBy(() -> ids().counter("orders")).hasMessageContaining(EPOCH.toString());
  }

  @Test
  void a_record_of_a_newer_version_is_refused_too() throws Exception {
    Counter counter = sandbox.holdfast().counter().orElseThrow();
    long ignored =
        counter.take(new Ask(new Resource("default", "ids.plan/orders"), 1, 1L << 44, false));
    assertThatThrownBy(() -> ids().counter("orders")).hasMessageContaining("newer version");
  }
}
