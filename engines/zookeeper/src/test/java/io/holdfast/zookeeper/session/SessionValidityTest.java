package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.support.LeaseClock;
import org.junit.jupiter.api.Test;

/** How long the store surely keeps a session. */
class SessionValidityTest {

  private static final long TIMEOUT = 1_000;

  /**
   * How far the wall clock is ahead of the monotonic one, which stops while the host is suspended.
   */
  private long ahead = 7_000;

  /** The monotonic clock. All times of this test are microseconds. */
  private long now;

  private final LeaseClock clock = new LeaseClock(() -> now * 1000, () -> now + ahead);
  private SessionValidity validity = new SessionValidity(clock, TIMEOUT * 1000, at(0));

  private LeaseClock.Moment at(long micros) {
    return new LeaseClock.Moment(micros * 1000, ahead * 1000);
  }

  private void confirmed(LeaseClock.Moment sent, long at) {
    now = at;
    validity.confirmed(sent);
  }

  private long remaining(long at) {
    now = at;
    return validity.remaining() / 1000;
  }

  private boolean isStale(long at) {
    now = at;
    return validity.isStale();
  }

  private long silence(long at) {
    now = at;
    return validity.silence() / 1000;
  }

  @Test
  void it_counts_from_the_last_beat_that_was_confirmed_well_before_the_latest() {
    assertThat(remaining(10)).isEqualTo(990);
    confirmed(at(100), 110);
    assertThat(remaining(120)).as("the first beat proves nothing yet").isEqualTo(880);
    confirmed(at(225), 235);
    assertThat(remaining(235)).as("the leader knows what was heard at 100").isEqualTo(865);
  }

  @Test
  void beats_that_follow_each_other_too_soon_do_not_count() {
    confirmed(at(100), 110);
    confirmed(at(150), 160);
    assertThat(remaining(160)).isEqualTo(840);
    confirmed(at(259), 270);
    assertThat(remaining(270)).as("110 is long enough before 259, 160 is not").isEqualTo(830);
    confirmed(at(260), 271);
    assertThat(remaining(271)).isEqualTo(879);
  }

  @Test
  void a_beat_is_worth_sending_when_the_last_was_confirmed_a_tenth_ago() {
    assertThat(isStale(0)).isTrue();
    confirmed(at(0), 10);
    assertThat(isStale(109)).isFalse();
    assertThat(isStale(110)).isTrue();
    assertThat(silence(60)).isEqualTo(50);
  }

  @Test
  void a_session_that_is_older_than_we_know_is_believed_after_two_beats() {
    validity = SessionValidity.ofOlderSession(clock, TIMEOUT * 1000, at(500));
    assertThat(remaining(500)).isNotPositive();
    confirmed(at(510), 520);
    assertThat(remaining(520)).as("the store may not have heard of it").isNotPositive();
    confirmed(at(620), 630);
    assertThat(remaining(630)).as("the leader knows what was heard at 510").isEqualTo(880);
  }

  @Test
  void what_was_heard_before_the_host_slept_is_older_by_as_much() {
    confirmed(at(0), 10);
    confirmed(at(120), 130);
    ahead += 9;
    assertThat(isStale(140)).as("less than a hundredth").isFalse();
    assertThat(remaining(140)).isEqualTo(860 - 9);
    ahead += 991;
    assertThat(remaining(140)).as("the session may be over").isNotPositive();
    assertThat(isStale(140)).as("a beat tells").isTrue();
    assertThat(silence(140)).isEqualTo(10 + 1_000);
    confirmed(at(141), 150);
    assertThat(remaining(150)).as("heard of before it slept").isNotPositive();
    confirmed(at(260), 270);
    assertThat(remaining(270)).isEqualTo(TIMEOUT - (270 - 141));
  }

  @Test
  void a_beat_on_whose_way_the_host_slept_counts_from_before() {
    LeaseClock.Moment sent = at(100);
    ahead += 600;
    confirmed(sent, 110);
    confirmed(at(220), 230);
    assertThat(remaining(230)).isEqualTo(TIMEOUT - 130 - 600);
  }

  @Test
  void a_wall_clock_that_goes_back_changes_nothing() {
    confirmed(at(0), 10);
    ahead -= 5_000;
    assertThat(remaining(20)).isEqualTo(980);
    assertThat(isStale(20)).isFalse();
  }
}
