package io.holdfast.etcd.signals;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.spi.Ticket;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who rings when others leave, and who may take that for being in. */
class ServerWatchTest {

  private static final ByteString FROM = key("line/");
  private static final ByteString TO = key("line0");

  private final ServerWatch watch = new ServerWatch(departures("me", "a", "b"));
  private long tickets;

  private static ByteString key(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static WatchTarget departures(String own, String... ahead) {
    return WatchTarget.departures(
        FROM, TO, key(own), Set.copyOf(List.of(ahead).stream().map(ServerWatchTest::key).toList()));
  }

  private static Event gone(String key, long revision) {
    return Event.newBuilder()
        .setType(Event.EventType.DELETE)
        .setKv(KeyValue.newBuilder().setKey(key(key)).setModRevision(revision))
        .build();
  }

  private TicketWatch ticket(long seen, String own, String... ahead) {
    TicketWatch ticket = new TicketWatch(new Ticket.Id(1, 2, ++tickets), watch);
    ticket.armed(departures(own, ahead), seen, () -> {});
    watch.add(ticket);
    return ticket;
  }

  @Test
  void the_last_one_ahead_to_go_clears() {
    watch.begun(1, 10);
    TicketWatch me = ticket(12, "me", "a", "b");
    assertThat(watch.receive(List.of(gone("b", 13)))).isEmpty();
    assertThat(watch.receive(List.of(gone("else", 14)))).isEmpty();
    assertThat(watch.receive(List.of(gone("a", 15)))).containsExactly(me);
    assertThat(me.isCleared()).isTrue();
    assertThat(watch.tickets()).isEmpty();
  }

  @Test
  void what_was_told_before_the_look_was_heard_of_counts() {
    watch.begun(1, 10);
    watch.receive(List.of(gone("a", 13), gone("b", 14)));
    TicketWatch me = ticket(12, "me", "a", "b");
    assertThat(me.isComplete()).isTrue();
    assertThat(me.isCleared()).isTrue();
    TicketWatch later = ticket(13, "you", "b", "c");
    assertThat(later.hasFired()).isFalse();
  }

  @Test
  void one_that_is_gone_itself_rings_and_is_not_cleared() {
    watch.begun(1, 10);
    TicketWatch me = ticket(12, "me", "a");
    assertThat(watch.receive(List.of(gone("a", 13), gone("me", 13)))).containsExactly(me);
    assertThat(me.isCleared()).isFalse();
  }

  @Test
  void one_that_looked_before_the_watch_began_is_not_cleared_by_it() {
    TicketWatch early = ticket(9, "me", "a");
    TicketWatch late = ticket(10, "you", "a");
    watch.begun(1, 10);
    assertThat(early.isComplete()).isFalse();
    assertThat(late.isComplete()).isTrue();
    assertThat(watch.receive(List.of(gone("a", 11)))).containsExactlyInAnyOrder(early, late);
    assertThat(early.isCleared()).isFalse();
    assertThat(late.isCleared()).isTrue();
  }

  @Test
  void one_that_looked_before_what_is_forgotten_must_look_again() {
    watch.begun(1, 10);
    TicketWatch waits = ticket(11, "waits", "never");
    for (int i = 0; i < 100; i++) {
      watch.receive(List.of(gone("other" + i, 12 + i)));
    }
    assertThat(waits.isComplete()).as("it was told of all").isTrue();
    assertThat(ticket(20, "me", "a").isComplete()).isFalse();
    assertThat(ticket(111, "me", "a").isComplete()).isTrue();
  }

  @Test
  void a_line_that_nobody_waits_in_is_watched_a_while_longer() {
    watch.begun(1, 10);
    TicketWatch me = ticket(12, "me", "a");
    watch.tickets().remove(me);
    assertThat(watch.isUnused()).isFalse();
    for (int i = 0; i < 7; i++) {
      watch.receive(List.of(gone("x" + i, 13 + i)));
    }
    assertThat(watch.isUnused()).isFalse();
    watch.receive(List.of(gone("y", 30)));
    assertThat(watch.isUnused()).isTrue();
  }

  @Test
  void for_who_is_in_one_that_joins_counts_and_does_not_wake() {
    WatchTarget line = WatchTarget.held(FROM, TO, key("own"));
    ServerWatch all = new ServerWatch(line);
    TicketWatch me = new TicketWatch(new Ticket.Id(1, 2, 99), all);
    me.armed(line, 10, () -> {});
    all.add(me);
    all.begun(1, 10);
    Event joined =
        Event.newBuilder().setKv(KeyValue.newBuilder().setKey(key("n")).setVersion(1)).build();
    assertThat(all.receive(List.of(joined))).containsExactly(me);
    assertThat(me.wakes()).isFalse();
  }

  @Test
  void for_who_is_in_a_change_of_its_own_key_wakes() {
    WatchTarget line = WatchTarget.held(FROM, TO, key("own"));
    ServerWatch all = new ServerWatch(line);
    TicketWatch me = new TicketWatch(new Ticket.Id(1, 2, 99), all);
    me.armed(line, 10, () -> {});
    all.add(me);
    all.begun(1, 10);
    assertThat(all.receive(List.of(gone("other", 11), gone("own", 11)))).containsExactly(me);
    assertThat(me.wakes()).isTrue();
  }

  @Test
  void in_a_range_of_all_changes_only_joins_do_not_count() {
    ServerWatch all = new ServerWatch(WatchTarget.range(FROM, TO));
    TicketWatch me = new TicketWatch(new Ticket.Id(1, 2, 99), all);
    me.armed(WatchTarget.range(FROM, TO), 10, () -> {});
    all.add(me);
    all.begun(1, 10);
    Event joined =
        Event.newBuilder().setKv(KeyValue.newBuilder().setKey(key("n")).setVersion(1)).build();
    Event changed =
        Event.newBuilder().setKv(KeyValue.newBuilder().setKey(key("n")).setVersion(2)).build();
    assertThat(all.receive(List.of(joined))).isEmpty();
    assertThat(all.receive(List.of(changed))).containsExactly(me);
    assertThat(all.isUnused()).isTrue();
  }
}
