package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Ticket;
import org.junit.jupiter.api.Test;

class DepartedTicketsTest {

  private static final long SECOND = 1_000_000_000L;

  /** Close to the overflow of the clock: only differences may count. */
  private long now = Long.MAX_VALUE - SECOND;

  private final Ticket.Id id = new Ticket.Id(1, 2, 3);
  private final DepartedTickets departed = new DepartedTickets(() -> now, 3 * SECOND);

  @Test
  void rememberedUntilTheTimeHasPassed() {
    departed.add(id);
    now += 3 * SECOND - 1;
    assertThat(departed.contains(id)).isTrue();
    now += 1;
    assertThat(departed.contains(id)).isFalse();
    assertThat(departed.remove(id)).isFalse();
  }

  @Test
  void anotherAddRestartsTheTime() {
    departed.add(id);
    now += 2 * SECOND;
    departed.add(id);
    now += 2 * SECOND;
    assertThat(departed.contains(id)).isTrue();
  }

  @Test
  void removeForgetsAndReportsWhetherItWasRemembered() {
    assertThat(departed.remove(id)).isFalse();
    departed.add(id);
    assertThat(departed.remove(id)).isTrue();
    assertThat(departed.contains(id)).isFalse();
  }

  @Test
  void expiredTicketsAreReclaimedAtMostOnceASecond() {
    DepartedTickets brief = new DepartedTickets(() -> now, SECOND / 2);
    for (int i = 0; i < 100; i++) {
      brief.add(new Ticket.Id(i, 0, 0));
    }
    now += SECOND - 1;
    brief.add(id);
    assertThat(brief.size()).isEqualTo(101);
    now += 1;
    brief.add(new Ticket.Id(3, 4, 5));
    assertThat(brief.size()).isEqualTo(2);
    assertThat(brief.contains(id)).isTrue();
  }
}
