package io.holdfast.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.spi.Ticket;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who rings when others leave, and who may take that for being in. */
class WatchTest {

  private static final ByteString FROM = key("line/");
  private static final ByteString TO = key("line0");

  private final Watch watch = new Watch(departures("me", "a", "b"));
  private long tickets;

  private static ByteString key(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static Watched departures(String own, String... ahead) {
    return Watched.departures(
        FROM, TO, key(own), Set.copyOf(List.of(ahead).stream().map(WatchTest::key).toList()));
  }

  private static Event gone(String key, long revision) {
    return Event.newBuilder()
        .setType(Event.EventType.DELETE)
        .setKv(KeyValue.newBuilder().setKey(key(key)).setModRevision(revision))
        .build();
  }

  private Bell bell(long seen, String own, String... ahead) {
    Bell bell = new Bell(new Ticket.Id(1, 2, ++tickets), watch);
    bell.looked(departures(own, ahead), seen, () -> {});
    watch.add(bell);
    return bell;
  }

  @Test
  void the_last_one_ahead_to_go_clears() {
    watch.begun(1, 10);
    Bell me = bell(12, "me", "a", "b");
    assertThat(watch.hear(List.of(gone("b", 13)))).isEmpty();
    assertThat(watch.hear(List.of(gone("else", 14)))).isEmpty();
    assertThat(watch.hear(List.of(gone("a", 15)))).containsExactly(me);
    assertThat(me.isCleared()).isTrue();
    assertThat(watch.bells()).isEmpty();
  }

  @Test
  void what_was_told_before_the_look_was_heard_of_counts() {
    watch.begun(1, 10);
    watch.hear(List.of(gone("a", 13), gone("b", 14)));
    Bell me = bell(12, "me", "a", "b");
    assertThat(me.isComplete()).isTrue();
    assertThat(me.isCleared()).isTrue();
    Bell later = bell(13, "you", "b", "c");
    assertThat(later.rings()).isFalse();
  }

  @Test
  void one_that_is_gone_itself_rings_and_is_not_cleared() {
    watch.begun(1, 10);
    Bell me = bell(12, "me", "a");
    assertThat(watch.hear(List.of(gone("a", 13), gone("me", 13)))).containsExactly(me);
    assertThat(me.isCleared()).isFalse();
  }

  @Test
  void one_that_looked_before_the_watch_began_is_not_cleared_by_it() {
    Bell early = bell(9, "me", "a");
    Bell late = bell(10, "you", "a");
    watch.begun(1, 10);
    assertThat(early.isComplete()).isFalse();
    assertThat(late.isComplete()).isTrue();
    assertThat(watch.hear(List.of(gone("a", 11)))).containsExactlyInAnyOrder(early, late);
    assertThat(early.isCleared()).isFalse();
    assertThat(late.isCleared()).isTrue();
  }

  @Test
  void one_that_looked_before_what_is_forgotten_must_look_again() {
    watch.begun(1, 10);
    Bell waits = bell(11, "waits", "never");
    for (int i = 0; i < 100; i++) {
      watch.hear(List.of(gone("other" + i, 12 + i)));
    }
    assertThat(waits.isComplete()).as("it was told of all").isTrue();
    assertThat(bell(20, "me", "a").isComplete()).isFalse();
    assertThat(bell(111, "me", "a").isComplete()).isTrue();
  }

  @Test
  void a_line_that_nobody_waits_in_is_watched_a_while_longer() {
    watch.begun(1, 10);
    Bell me = bell(12, "me", "a");
    watch.bells().remove(me);
    assertThat(watch.isInVain()).isFalse();
    for (int i = 0; i < 7; i++) {
      watch.hear(List.of(gone("x" + i, 13 + i)));
    }
    assertThat(watch.isInVain()).isFalse();
    watch.hear(List.of(gone("y", 30)));
    assertThat(watch.isInVain()).isTrue();
  }

  @Test
  void for_who_is_in_one_that_joins_counts_and_does_not_wake() {
    Watched line = Watched.held(FROM, TO, key("own"));
    Watch all = new Watch(line);
    Bell me = new Bell(new Ticket.Id(1, 2, 99), all);
    me.looked(line, 10, () -> {});
    all.add(me);
    all.begun(1, 10);
    Event joined =
        Event.newBuilder().setKv(KeyValue.newBuilder().setKey(key("n")).setVersion(1)).build();
    assertThat(all.hear(List.of(joined))).containsExactly(me);
    assertThat(me.wakes()).isFalse();
  }

  @Test
  void for_who_is_in_a_change_of_its_own_key_wakes() {
    Watched line = Watched.held(FROM, TO, key("own"));
    Watch all = new Watch(line);
    Bell me = new Bell(new Ticket.Id(1, 2, 99), all);
    me.looked(line, 10, () -> {});
    all.add(me);
    all.begun(1, 10);
    assertThat(all.hear(List.of(gone("other", 11), gone("own", 11)))).containsExactly(me);
    assertThat(me.wakes()).isTrue();
  }

  @Test
  void in_a_range_of_all_changes_only_joins_do_not_count() {
    Watch all = new Watch(Watched.range(FROM, TO));
    Bell me = new Bell(new Ticket.Id(1, 2, 99), all);
    me.looked(Watched.range(FROM, TO), 10, () -> {});
    all.add(me);
    all.begun(1, 10);
    Event joined =
        Event.newBuilder().setKv(KeyValue.newBuilder().setKey(key("n")).setVersion(1)).build();
    Event changed =
        Event.newBuilder().setKv(KeyValue.newBuilder().setKey(key("n")).setVersion(2)).build();
    assertThat(all.hear(List.of(joined))).isEmpty();
    assertThat(all.hear(List.of(changed))).containsExactly(me);
    assertThat(all.isInVain()).isTrue();
  }
}
