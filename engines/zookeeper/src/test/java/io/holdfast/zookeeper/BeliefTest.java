package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long the store surely keeps a session. */
class BeliefTest {

  private static final long TIMEOUT = 1_000;

  /** How far the wall clock is ahead of the steady one, which stands still while a host sleeps. */
  private long ahead = 7_000;

  private Belief.Moment at(long nanos) {
    return new Belief.Moment(nanos, ahead);
  }

  @Test
  void it_counts_from_the_last_beat_that_was_confirmed_well_before_the_latest() {
    Belief belief = new Belief(TIMEOUT, at(0), () -> ahead);
    assertThat(belief.left(10)).isEqualTo(990);
    belief.confirmed(at(100), 110);
    assertThat(belief.left(120)).as("the first beat proves nothing yet").isEqualTo(880);
    belief.confirmed(at(225), 235);
    assertThat(belief.left(235)).as("the leader knows what was heard at 100").isEqualTo(865);
  }

  @Test
  void beats_that_follow_each_other_too_soon_do_not_count() {
    Belief belief = new Belief(TIMEOUT, at(0), () -> ahead);
    belief.confirmed(at(100), 110);
    belief.confirmed(at(150), 160);
    assertThat(belief.left(160)).isEqualTo(840);
    belief.confirmed(at(259), 270);
    assertThat(belief.left(270)).as("110 is long enough before 259, 160 is not").isEqualTo(830);
    belief.confirmed(at(260), 271);
    assertThat(belief.left(271)).isEqualTo(879);
  }

  @Test
  void a_beat_is_worth_sending_when_the_last_was_confirmed_a_tenth_ago() {
    Belief belief = new Belief(TIMEOUT, at(0), () -> ahead);
    assertThat(belief.isStale(0)).isTrue();
    belief.confirmed(at(0), 10);
    assertThat(belief.isStale(109)).isFalse();
    assertThat(belief.isStale(110)).isTrue();
    assertThat(belief.silence(60)).isEqualTo(50);
  }

  @Test
  void a_session_that_is_older_than_we_know_is_believed_after_two_beats() {
    Belief belief = Belief.ofOlder(TIMEOUT, at(500), () -> ahead);
    assertThat(belief.left(500)).isNotPositive();
    belief.confirmed(at(510), 520);
    assertThat(belief.left(520)).as("the store may not have heard of it").isNotPositive();
    belief.confirmed(at(620), 630);
    assertThat(belief.left(630)).as("the leader knows what was heard at 510").isEqualTo(880);
  }

  @Test
  void what_was_heard_before_the_host_slept_is_older_by_as_much() {
    Belief belief = new Belief(TIMEOUT, at(0), () -> ahead);
    belief.confirmed(at(0), 10);
    belief.confirmed(at(120), 130);
    ahead += 9;
    assertThat(belief.isStale(140)).as("less than a hundredth").isFalse();
    assertThat(belief.left(140)).isEqualTo(860 - 9);
    ahead += 991;
    assertThat(belief.left(140)).as("the session may be over").isNotPositive();
    assertThat(belief.isStale(140)).as("a beat tells").isTrue();
    assertThat(belief.silence(140)).isEqualTo(10 + 1_000);
    belief.confirmed(at(141), 150);
    assertThat(belief.left(150)).as("heard of before it slept").isNotPositive();
    belief.confirmed(at(260), 270);
    assertThat(belief.left(270)).isEqualTo(TIMEOUT - (270 - 141));
  }

  @Test
  void a_beat_on_whose_way_the_host_slept_counts_from_before() {
    Belief belief = new Belief(TIMEOUT, at(0), () -> ahead);
    Belief.Moment sent = at(100);
    ahead += 600;
    belief.confirmed(sent, 110);
    belief.confirmed(at(220), 230);
    assertThat(belief.left(230)).isEqualTo(TIMEOUT - 130 - 600);
  }

  @Test
  void a_wall_clock_that_goes_back_changes_nothing() {
    Belief belief = new Belief(TIMEOUT, at(0), () -> ahead);
    belief.confirmed(at(0), 10);
    ahead -= 5_000;
    assertThat(belief.left(20)).isEqualTo(980);
    assertThat(belief.isStale(20)).isFalse();
  }
}
