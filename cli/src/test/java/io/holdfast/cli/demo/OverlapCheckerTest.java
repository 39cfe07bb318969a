package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The checker")
class OverlapCheckerTest {

  private final OverlapChecker checker = new OverlapChecker();

  @Test
  @DisplayName("finds two holds that are believed at once")
  void overlap() throws InterruptedException {
    // Two stores that know nothing of each other are a lock that does not work.
    try (Holdfast one = Holdfast.connect("memory:");
        Holdfast two = Holdfast.connect("memory:");
        Hold first = one.lock("jar").acquire();
        Hold second = two.lock("jar").acquire()) {
      checker.granted(first);
      checker.granted(second);
    }

    assertThat(checker.overlaps()).isEqualTo(1);
  }

  @Test
  @DisplayName("finds a token that does not rise")
  void notRising() throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      Hold first = holdfast.lock("jar").acquire();
      first.release();
      Hold second = holdfast.lock("jar").acquire();
      second.release();
      checker.granted(second);
      checker.granted(first);
    }

    assertThat(checker.tokensRose()).isFalse();
    assertThat(checker.overlaps()).isZero();
  }
}
