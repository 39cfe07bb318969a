package io.holdfast.torture;

import static io.holdfast.torture.Calls.granted;
import static io.holdfast.torture.Calls.withToken;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TokenCheckerTest {

  @Test
  @DisplayName("a token that is asked for later must be larger")
  void descending() {
    Call first = withToken(granted("a", "any-0", true, 1, 2), 100);
    Call later = withToken(granted("b", "any-0", true, 3, 4), 99);
    assertThat(TokenChecker.check(List.of(later, first)))
        .singleElement()
        .satisfies(wrong -> assertThat(wrong.repeated()).isFalse());
    assertThat(TokenChecker.check(List.of(first, withToken(later, 101)))).isEmpty();
  }

  @Test
  @DisplayName("calls that were under way together may get their tokens in any order")
  void together() {
    Call first = withToken(granted("a", "any-0", true, 1, 5), 100);
    Call other = withToken(granted("b", "any-0", true, 4, 6), 99);
    assertThat(TokenChecker.check(List.of(first, other))).isEmpty();
  }

  @Test
  @DisplayName("an exclusive token that comes twice is found, also of calls under way together")
  void repeated() {
    Call first = withToken(granted("a", "any-0", true, 1, 5), 100);
    Call other = withToken(granted("b", "any-0", true, 4, 6), 100);
    assertThat(TokenChecker.check(List.of(first, other)))
        .singleElement()
        .satisfies(wrong -> assertThat(wrong.repeated()).isTrue());
  }

  @Test
  @DisplayName("tokens of holders that may be in together are not compared")
  void shared() {
    Call first = withToken(granted("a", "semaphore", false, 1, 2), 100);
    Call later = withToken(granted("b", "semaphore", false, 3, 4), 99);
    assertThat(TokenChecker.check(List.of(first, later))).isEmpty();
  }

  @Test
  @DisplayName("a reader's token is larger than that of the writer before it, and a writer's too")
  void readersAndWriters() {
    Call writer = withToken(granted("a", "read-write", true, 1, 2), 100);
    Call reader = withToken(granted("b", "read-write", false, 3, 4), 100);
    assertThat(TokenChecker.check(List.of(writer, reader))).hasSize(1);
    Call first = withToken(granted("a", "read-write", false, 1, 2), 100);
    Call next = withToken(granted("b", "read-write", true, 3, 4), 90);
    assertThat(TokenChecker.check(List.of(first, next))).hasSize(1);
  }
}
