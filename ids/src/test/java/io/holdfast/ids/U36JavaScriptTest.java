package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.tck.Sandbox;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** U36: ids that JavaScript can hold, and texts for those that it cannot. */
class U36JavaScriptTest {

  private static final long LARGEST_SAFE = (1L << 53) - 1;

  static List<IdForm> forms() {
    return List.of(IdForm.decimal(), IdForm.crockford(), IdForm.base62());
  }

  @Test
  void ids_of_the_small_layout_are_exact_as_doubles_until_its_end() {
    IdLayout layout = IdLayout.JAVASCRIPT;
    assertThat(layout.id(layout.end().minusMillis(10), 255, 511)).isEqualTo(LARGEST_SAFE);
    TimelineOptions options = TimelineOptions.DEFAULTS.withLayout(layout);
    try (Sandbox sandbox = Sandbox.open();
        LongIds ids = Ids.over(sandbox.holdfast(), sandbox.time()).timeline("web", options)) {
      for (int i = 0; i < 10_000; i++) {
        long id = ids.next();
        assertThat((long) (double) id).isEqualTo(id).isLessThanOrEqualTo(LARGEST_SAFE);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void every_id_comes_back_from_its_text(IdForm form) {
    SplittableRandom random = new SplittableRandom(42);
    for (long id : new long[] {0, 1, 31, 32, 61, 62, LARGEST_SAFE, Long.MAX_VALUE}) {
      assertThat(form.read(form.write(id))).isEqualTo(id);
    }
    for (int i = 0; i < 10_000; i++) {
      long id = random.nextLong() >>> random.nextInt(1, 63);
      assertThat(form.read(form.write(id))).isEqualTo(id);
    }
    assertThatThrownBy(() -> form.write(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> form.read("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> form.read("!")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> form.read(IdForm.decimal().write(Long.MAX_VALUE) + "0000000000"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void texts_of_one_length_sort_like_the_ids() {
    SplittableRandom random = new SplittableRandom(42);
    for (IdForm form :
        List.of(IdForm.crockford(), IdForm.base62(), IdForm.dated(IdLayout.STANDARD))) {
      for (int i = 0; i < 10_000; i++) {
        long one = random.nextLong() >>> 1;
        long two = random.nextLong() >>> 1;
        assertThat(Integer.signum(form.write(one).compareTo(form.write(two))))
            .isEqualTo(Long.compare(one, two));
      }
    }
  }

  @Test
  void people_may_write_crockford_as_they_read_it() {
    long id = IdForm.crockford().read("01-AB");
    assertThat(IdForm.crockford().read("oLab")).isEqualTo(id);
    assertThat(IdForm.crockford().read("0I-a-B")).isEqualTo(id);
    assertThat(IdForm.crockford().write(Long.MAX_VALUE)).isEqualTo("7ZZZZZZZZZZZZ");
    assertThat(IdForm.base62().write(Long.MAX_VALUE)).isEqualTo("AzL8n0Y58m7");
  }

  @Test
  void a_dated_text_shows_the_day_and_holds_the_id() {
    IdForm form = IdForm.dated(IdLayout.STANDARD);
    Instant time = Instant.parse("2026-11-15T23:59:59.999Z");
    long id = IdLayout.STANDARD.id(time, 1023, 4095);
    String text = form.write(id);
    assertThat(text).startsWith("20261115-").hasSize(19);
    IdFacts facts = IdLayout.STANDARD.describe(form.read(text));
    assertThat(facts.time()).hasValue(time);
    assertThat(facts.worker()).hasValue(1023);
    assertThat(facts.sequence()).isEqualTo(4095);
    assertThat(form.write(IdLayout.STANDARD.id(time.plusMillis(1), 0, 0)))
        .isEqualTo("20261116-0000000000");
    for (String bad : List.of("20261315-0000000000", "20261115", "x", "20261115-ZZZZZZZZZZ")) {
      assertThatThrownBy(() -> form.read(bad)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void dated_texts_of_odd_ticks_come_back_too() {
    IdLayout odd =
        new IdLayout(Instant.parse("2025-03-04T05:06:07.089Z"), Duration.ofSeconds(7), 40, 5, 5);
    IdForm form = IdForm.dated(odd);
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < 20_000; i++) {
      long id = random.nextLong(1L << 36);
      assertThat(form.read(form.write(id))).isEqualTo(id);
    }
  }
}
