package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long the store surely keeps a session. */
class BeliefTest {

  private static final long TIMEOUT = 1_000;

  @Test
  void it_counts_from_the_last_beat_that_was_confirmed_well_before_the_latest() {
    Belief belief = new Belief(TIMEOUT, 0);
    assertThat(belief.left(10)).isEqualTo(990);
    belief.confirmed(100, 110);
    assertThat(belief.left(120)).as("the first beat proves nothing yet").isEqualTo(880);
    belief.confirmed(225, 235);
    assertThat(belief.left(235)).as("the leader knows what was heard at 100").isEqualTo(865);
  }

  @Test
  void beats_that_follow_each_other_too_soon_do_not_count() {
    Belief belief = new Belief(TIMEOUT, 0);
    belief.confirmed(100, 110);
    belief.confirmed(150, 160);
    assertThat(belief.left(160)).isEqualTo(840);
    belief.confirmed(259, 270);
    assertThat(belief.left(270)).as("110 is long enough before 259, 160 is not").isEqualTo(830);
    belief.confirmed(260, 271);
    assertThat(belief.left(271)).isEqualTo(879);
  }

  @Test
  void a_beat_is_worth_sending_when_the_last_was_confirmed_a_tenth_ago() {
    Belief belief = new Belief(TIMEOUT, 0);
    assertThat(belief.isStale(0)).isTrue();
    belief.confirmed(0, 10);
    assertThat(belief.isStale(109)).isFalse();
    assertThat(belief.isStale(110)).isTrue();
    assertThat(belief.silence(60)).isEqualTo(50);
  }

  @Test
  void a_session_that_is_older_than_we_know_is_believed_after_two_beats() {
    Belief belief = Belief.ofOlder(TIMEOUT, 500);
    assertThat(belief.left(500)).isNotPositive();
    belief.confirmed(510, 520);
    assertThat(belief.left(520)).as("the store may not have heard of it").isNotPositive();
    belief.confirmed(620, 630);
    assertThat(belief.left(630)).as("the leader knows what was heard at 510").isEqualTo(880);
  }
}
