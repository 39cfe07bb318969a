package io.holdfast.ids.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ids.IdBlock;
import io.holdfast.ids.IdFacts;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.Supply;
import io.holdfast.tck.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Turns among generators of which one is away. */
class SpreadIdsTest {

  private final ManualTime time = new ManualTime();
  private final Part odd = new Part(1);
  private final Part even = new Part(2);
  private final SpreadIds ids = new SpreadIds(List.of(odd, even), time);

  /** Every other number; counts how often it was asked. */
  private static final class Part implements LongIds {
    private long next;
    private boolean away;
    private int asked;

    Part(long first) {
      this.next = first;
    }

    @Override
    public long next() {
      asked++;
      if (away) {
        throw new IdsUnavailableException("away", null);
      }
      next += 2;
      return next - 2;
    }

    @Override
    public IdBlock block(int count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public IdFacts describe(long id) {
      return CounterIds.facts(id);
    }

    @Override
    public Supply supply() {
      return SupplyStates.up("a part");
    }

    @Override
    public void close() {}
  }

  private void make(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(ids.next()).isPositive();
    }
  }

  @Test
  void one_that_is_away_is_asked_now_and_then() {
    even.away = true;
    make(100);
    assertThat(even.asked).as("each time costs as long as a connection takes to fail").isOne();
    time.advance(Duration.ofMinutes(10));
    make(100);
    assertThat(even.asked).isEqualTo(2);
    for (int i = 0; i < 600; i++) {
      time.advance(Duration.ofSeconds(1));
      make(10);
    }
    assertThat(even.asked).as("in ten minutes").isBetween(20, 40);
  }

  @Test
  void one_that_came_back_has_its_turns_again() {
    even.away = true;
    make(100);
    even.away = false;
    time.advance(Duration.ofSeconds(2));
    int before = even.asked;
    make(100);
    assertThat(even.asked - before).isEqualTo(50);
  }

  @Test
  void one_that_was_away_is_asked_at_once_if_the_others_have_none() {
    even.away = true;
    make(100);
    odd.away = true;
    assertThatThrownBy(ids::next)
        .isInstanceOf(IdsUnavailableException.class)
        .hasMessageContaining("none of the 2");
    even.away = false;
    make(1);
  }
}
