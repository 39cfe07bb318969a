package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChannelTableTest {

  private final ChannelTable channels = new ChannelTable();

  @Test
  void a_channel_is_armed_once_the_server_has_begun_it() {
    assertThat(channels.want("a")).isTrue();
    assertThat(channels.want("a")).isFalse();
    assertThat(channels.begun("a")).isTrue();
    assertThat(channels.begun("a")).isFalse();
    assertThat(channels.begun("b")).isFalse();
  }

  @Test
  void an_end_that_we_asked_for_is_not_the_servers_doing() {
    channels.want("a");
    channels.begun("a");
    channels.unwant("a");
    channels.endSent("a");
    channels.want("a");
    assertThat(channels.ended("a")).isFalse();
    assertThat(channels.begun("a")).isTrue();
    assertThat(channels.ended("a")).isTrue();
  }

  @Test
  void a_beginning_before_an_end_that_is_still_to_come_is_an_old_one() {
    channels.want("a");
    channels.unwant("a");
    channels.endSent("a");
    channels.want("a");
    channels.unwant("a");
    channels.endSent("a");
    channels.want("a");
    assertThat(channels.begun("a")).isFalse();
    assertThat(channels.ended("a")).isFalse();
    assertThat(channels.begun("a")).isFalse();
    assertThat(channels.ended("a")).isFalse();
    assertThat(channels.begun("a")).isTrue();
  }

  @Test
  void a_gap_is_told_for_what_was_armed_alone_and_once() {
    channels.want("armed");
    channels.want("waiting");
    channels.begun("armed");
    channels.want("gone");
    channels.begun("gone");
    channels.unwant("gone");
    assertThat(channels.gap()).containsExactly("armed");
    assertThat(channels.gap()).isEmpty();
    assertThat(channels.all()).containsExactlyInAnyOrder("armed", "waiting");
    assertThat(channels.begun("armed")).isTrue();
  }

  @Test
  void ends_that_the_server_will_not_confirm_are_forgotten() {
    channels.want("a");
    channels.begun("a");
    channels.unwant("a");
    channels.endSent("a");
    channels.want("a");
    channels.forgetEnds("a"::equals);
    assertThat(channels.begun("a")).isTrue();
  }
}
