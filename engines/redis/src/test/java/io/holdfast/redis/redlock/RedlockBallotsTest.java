package io.holdfast.redis.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.redlock.RedlockBallots.Proposal;
import io.holdfast.redis.redlock.RedlockBallots.Window;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RedlockBallotsTest {

  private static final long NOW = 1_000_000_000;
  private static final int BUCKET = 7;

  private long clock = NOW;
  private final RedlockBallots ballots = new RedlockBallots(() -> clock * 64);

  private static Window window(long floor, long clock) {
    return new Window(floor, clock + RedlockBallots.SLACK);
  }

  @Test
  @DisplayName("the first ballot of a bucket is the time, then it rises")
  void first() {
    assertThat(ballots.first(BUCKET)).isEqualTo(NOW);
    ballots.accepted(BUCKET, NOW, List.of(window(NOW, NOW)));
    assertThat(ballots.first(BUCKET)).isEqualTo(NOW + 1);
    assertThat(ballots.first(BUCKET + 1)).isEqualTo(NOW);
    clock += 500;
    assertThat(ballots.first(BUCKET)).isEqualTo(NOW + 500);
  }

  @Test
  @DisplayName("a ballot above all floors is found when all clocks agree")
  void aboveAll() {
    List<Window> windows =
        List.of(window(NOW + 5, NOW), window(NOW + 90, NOW), window(NOW + 40, NOW));
    assertThat(ballots.next(BUCKET, windows, 2)).contains(new Proposal(NOW + 91, 0));
  }

  @Test
  @DisplayName("servers that have just started are waited for until their clocks allow it")
  void ripens() {
    long limit = NOW + RedlockBallots.SLACK;
    List<Window> windows =
        List.of(new Window(limit, limit), new Window(limit + 4, limit + 4), new Window(9, limit));
    Proposal next = ballots.next(BUCKET, windows, 2).orElseThrow();
    assertThat(next.ballot()).isEqualTo(limit + 5);
    assertThat(Duration.ofNanos(next.nanos())).isEqualTo(Duration.ofNanos(5 * 64_000));
  }

  @Test
  @DisplayName("a server a day ahead neither gets in the way nor is followed")
  void dayAhead() {
    long day = Duration.ofDays(1).toNanos() / 64_000;
    List<Window> windows =
        List.of(window(NOW + 1, NOW), window(NOW + 2, NOW), window(NOW + day + 5, NOW + day));
    Proposal next = ballots.next(BUCKET, windows, 2).orElseThrow();
    assertThat(next).isEqualTo(new Proposal(NOW + 3, 0));
    ballots.accepted(BUCKET, next.ballot(), windows);
    assertThat(ballots.first(BUCKET)).isEqualTo(NOW + 4);
  }

  @Test
  @DisplayName("a client whose clock is a day ahead takes over the servers' time")
  void wrongClient() {
    long day = Duration.ofDays(1).toNanos() / 64_000;
    clock = NOW + day;
    List<Window> windows = List.of(window(5, NOW), window(6, NOW), window(7, NOW));
    assertThat(ballots.next(BUCKET, windows, 2)).contains(new Proposal(8, 0));
    assertThat(ballots.first(BUCKET)).isEqualTo(NOW);
  }

  @Test
  @DisplayName("fewer servers than a majority get no proposal")
  void tooFew() {
    assertThat(ballots.next(BUCKET, List.of(window(1, NOW)), 2)).isEmpty();
  }

  @Test
  @DisplayName("the next ballot is one that a server accepts for which this one was too low")
  void restarted() {
    long floor = NOW + RedlockBallots.SLACK - 1;
    ballots.accepted(BUCKET, NOW, List.of(window(NOW, NOW), window(NOW, NOW), window(floor, NOW)));
    assertThat(ballots.first(BUCKET)).isEqualTo(floor + 1);
  }
}
