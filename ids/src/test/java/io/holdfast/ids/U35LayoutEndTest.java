package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.tck.ManualTime;
import io.holdfast.tck.Sandbox;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** U35: time bits run out, on a date that is known from the start. */
class U35LayoutEndTest {

  private final Sandbox sandbox = Sandbox.open();
  private final ManualTime time = sandbox.time();

  @AfterEach
  void close() {
    sandbox.close();
  }

  private Instant now() {
    return Instant.ofEpochMilli(time.epochMicros() / 1000);
  }

  /** 28 bits of seconds: eight and a half years. */
  private IdLayout seconds(Instant epoch) {
    return new IdLayout(epoch, Duration.ofSeconds(1), 28, 10, 12);
  }

  private LongIds open(IdLayout layout) {
    return Ids.over(sandbox.holdfast(), time)
        .timeline("orders", TimelineOptions.DEFAULTS.withLayout(layout));
  }

  @Test
  void the_end_of_a_layout_is_known() {
    assertThat(IdLayout.STANDARD.end()).isEqualTo(Instant.parse("2094-09-07T15:47:35.552Z"));
    assertThat(IdLayout.JAVASCRIPT.end()).isEqualTo(Instant.parse("2046-10-11T15:26:07.360Z"));
  }

  @Test
  void the_end_of_a_layout_is_logged_at_the_start() {
    List<String> lines = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger("io.holdfast.ids");
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try {
      open(IdLayout.JAVASCRIPT).close();
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(lines).anyMatch(line -> line.contains("lasts until 2046-10-11T15:26:07.360Z"));
  }

  @Test
  void a_layout_that_ends_in_less_than_five_years_is_refused() {
    Instant epoch = now().minus(Duration.ofDays(4 * 365));
    assertThatThrownBy(() -> open(seconds(epoch)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ends at " + seconds(epoch).end())
        .hasMessageContaining("less than five years");
    open(seconds(now().minus(Duration.ofDays(3 * 365)))).close();
  }

  @Test
  void a_year_before_the_end_there_is_a_warning_and_at_the_end_an_error() {
    IdLayout layout = seconds(now());
    try (LongIds ids = open(layout)) {
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.UP);
      time.stepWall(Duration.between(now(), layout.end()).minusDays(300));
      time.advance(Duration.ofSeconds(12));
      assertThat(ids.next()).isPositive();
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.WARN);
      assertThat(ids.supply().warnings()).anyMatch(it -> it.contains("ends at"));

      time.stepWall(Duration.between(now(), layout.end()).minusSeconds(30));
      time.advance(Duration.ofSeconds(12));
      long last = 0;
      for (int i = 0; i < 17; i++) {
        time.advance(Duration.ofSeconds(1));
        long id = ids.next();
        assertThat(id).isGreaterThan(last).isPositive();
        last = id;
      }
      time.advance(Duration.ofSeconds(2));
      assertThatThrownBy(ids::next)
          .isInstanceOf(IdsUnavailableException.class)
          .hasMessageContaining("ended at " + layout.end());
    }
  }

  @Test
  void parts_that_do_not_fit_are_refused_and_never_cut() {
    IdLayout layout = IdLayout.STANDARD;
    assertThatThrownBy(() -> layout.id(layout.end(), 0, 0)).hasMessageContaining("out of range");
    assertThatThrownBy(() -> layout.id(Instant.EPOCH, 0, 0)).hasMessageContaining("out of range");
    assertThatThrownBy(() -> layout.id(now(), 1024, 0)).hasMessageContaining("out of range");
    assertThatThrownBy(() -> layout.id(now(), 0, 4096)).hasMessageContaining("out of range");
    long largest = layout.id(layout.end().minusMillis(1), 1023, 4095);
    assertThat(largest).isEqualTo(Long.MAX_VALUE);
    assertThat(layout.describe(largest).worker()).hasValue(1023);
    assertThatThrownBy(() -> new IdLayout(Instant.EPOCH, Duration.ofMillis(1), 42, 10, 12))
        .hasMessageContaining("timeBits must be");
  }
}
