package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.torture.OverlapChecker.Overlap;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OverlapCheckerTest {

  @Test
  @DisplayName("one after another is no overlap, also at the same instant")
  void apart() {
    assertThat(
            OverlapChecker.check(
                List.of(
                    Calls.believed("a", "any-0", true, 10, 20),
                    Calls.believed("b", "any-0", true, 20, 30),
                    Calls.believed("c", "any-1", true, 15, 25))))
        .isEmpty();
  }

  @Test
  @DisplayName("a look that was true after a rival's grant is an overlap, and is measured")
  void overlap() {
    List<Overlap> found =
        OverlapChecker.check(
            List.of(
                Calls.believed("a", "fifo-0", true, 10, 27),
                Calls.believed("b", "fifo-0", true, 20, 40)));
    assertThat(found).hasSize(1);
    assertThat(found.get(0).millis()).isEqualTo(7.0);
    assertThat(found.get(0).holders()).extracting(call -> call.process).containsExactly("a", "b");
  }

  @Test
  @DisplayName("a holder that did not look again does not count: it may have been stopped")
  void stopped() {
    Call silent = Calls.granted("a", "any-0", true, 9, 10);
    assertThat(OverlapChecker.check(List.of(silent, Calls.believed("b", "any-0", true, 20, 40))))
        .isEmpty();
  }

  @Test
  @DisplayName("a semaphore takes as many as it has permits")
  void semaphore() {
    Call first = Calls.believed("a", "semaphore", false, 10, 40);
    Call second = Calls.believed("b", "semaphore", false, 12, 40);
    assertThat(OverlapChecker.check(List.of(first, second))).isEmpty();
    Call third = Calls.believed("c", "semaphore", false, 38, 50);
    assertThat(OverlapChecker.check(List.of(first, second, third)))
        .singleElement()
        .satisfies(overlap -> assertThat(overlap.millis()).isEqualTo(2.0));
  }

  @Test
  @DisplayName("readers fit together, a writer fits with nobody")
  void readWrite() {
    Call reader = Calls.believed("a", "read-write", false, 10, 40);
    Call other = Calls.believed("b", "read-write", false, 12, 40);
    assertThat(OverlapChecker.check(List.of(reader, other))).isEmpty();
    Call writer = Calls.believed("c", "read-write", true, 39, 60);
    assertThat(OverlapChecker.check(List.of(reader, other, writer))).hasSize(1);
  }
}
