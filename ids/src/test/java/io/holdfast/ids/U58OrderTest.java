package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.tck.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** U58: UUIDs of version 7 rise strictly, and ids can hide how many there are. */
class U58OrderTest {

  private static final byte[] KEY = "sixteen secrets!".getBytes(StandardCharsets.US_ASCII);

  @Test
  void a_million_rise_strictly_while_the_clock_stalls_and_steps_back() {
    ManualTime time = new ManualTime();
    UuidIds ids = Ids.uuid7(time);
    SplittableRandom random = new SplittableRandom(42);
    UUID last = ids.next();
    for (int i = 0; i < 1_000_000; i++) {
      if (random.nextInt(1000) == 0) {
        time.stepWall(Duration.ofMillis(random.nextInt(-5000, 5000)));
      }
      UUID next = ids.next();
      assertThat(isBelow(last, next)).as("%s, then %s", last, next).isTrue();
      last = next;
    }
    assertThat(last.version()).isEqualTo(7);
    assertThat(last.variant()).isEqualTo(2);
  }

  private static boolean isBelow(UUID one, UUID two) {
    int high = Long.compareUnsigned(one.getMostSignificantBits(), two.getMostSignificantBits());
    return high < 0
        || (high == 0
            && Long.compareUnsigned(one.getLeastSignificantBits(), two.getLeastSignificantBits())
                < 0);
  }

  @Test
  void a_uuid_tells_its_time_and_its_text_sorts_like_it() {
    ManualTime time = new ManualTime();
    UuidIds ids = Ids.uuid7(time);
    Instant now = Instant.ofEpochMilli(time.epochMicros() / 1000);
    UUID one = ids.next();
    assertThat(ids.describe(one).time()).hasValue(now);
    time.advance(Duration.ofMillis(5));
    UUID two = ids.next();
    assertThat(one.toString()).isLessThan(two.toString());
    assertThatThrownBy(() -> ids.describe(UUID.randomUUID()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Ids.uuid4().next().version()).isEqualTo(4);
    assertThat(Ids.uuid4().describe(Ids.uuid4().next()).time()).isEmpty();
  }

  @Test
  void generators_that_start_at_the_same_moment_do_not_meet() {
    ManualTime time = new ManualTime();
    Set<UUID> all = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      UuidIds ids = Ids.uuid7(time);
      for (int j = 0; j < 500; j++) {
        assertThat(all.add(ids.next())).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 16, 53, 62, 63})
  void a_permutation_is_undone_exactly_and_stays_within_its_bits(int bits) {
    Permutation permutation = Permutation.of(KEY, bits);
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < 10_000; i++) {
      long id = random.nextLong() >>> (64 - bits);
      long hidden = permutation.hide(id);
      assertThat(hidden >>> bits).isZero();
      assertThat(permutation.show(hidden)).isEqualTo(id);
    }
    assertThatThrownBy(() -> permutation.hide(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_permutation_keeps_ids_apart_and_hides_their_order() {
    Permutation permutation = Permutation.of(KEY, 16);
    long[] all = new long[1 << 16];
    int rises = 0;
    for (int i = 0; i < all.length; i++) {
      all[i] = permutation.hide(i);
      rises += i > 0 && all[i] > all[i - 1] ? 1 : 0;
    }
    assertThat(rises).isBetween(all.length / 2 - 1000, all.length / 2 + 1000);
    Arrays.sort(all);
    for (int i = 0; i < all.length; i++) {
      assertThat(all[i]).isEqualTo(i);
    }
  }

  @Test
  void a_hidden_form_comes_back_with_its_key_alone() {
    IdForm form = IdForm.crockford().hiding(Permutation.of(KEY, 63));
    IdForm other = IdForm.crockford().hiding(Permutation.of(new byte[16], 63));
    for (long id = 0; id < 1_000; id++) {
      assertThat(form.read(form.write(id))).isEqualTo(id);
      assertThat(other.read(form.write(id))).isNotEqualTo(id);
    }
  }
}
