package io.holdfast.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The referee")
class RefereeTest {

  private final Referee referee = new Referee();

  @Test
  @DisplayName("sees two that believe to be in")
  void overlap() throws InterruptedException {
    // Two stores that know nothing of each other are a lock that does not work.
    try (Holdfast one = Holdfast.connect("memory:");
        Holdfast two = Holdfast.connect("memory:");
        Hold first = one.lock("jar").acquire();
        Hold second = two.lock("jar").acquire()) {
      referee.granted(first);
      referee.granted(second);
    }

    assertThat(referee.overlaps()).isEqualTo(1);
  }

  @Test
  @DisplayName("sees a token that does not rise")
  void notRising() throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      Hold first = holdfast.lock("jar").acquire();
      first.release();
      Hold second = holdfast.lock("jar").acquire();
      second.release();
      referee.granted(second);
      referee.granted(first);
    }

    assertThat(referee.tokensRose()).isFalse();
    assertThat(referee.overlaps()).isZero();
  }
}
