package io.holdfast.etcd.signals;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import io.holdfast.etcd.connection.Members;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of waiters when streams end, or are denied what they ask for. */
class WatchStreamTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration QUIET = Duration.ofSeconds(1);

  private final WatchServer streams = new WatchServer();
  private long now;
  private final WatchRegistry watches =
      new WatchRegistry(Members.over(streams, "scripted", "holdfast/"), TIMEOUT, () -> this.now);
  private final AtomicInteger woken = new AtomicInteger();
  private long tickets;

  @AfterEach
  void close() {
    watches.close();
  }

  private WatchRegistry.Armed arm(String key) {
    WatchTarget watched = WatchTarget.key(ByteString.copyFromUtf8(key));
    return watches.arm(new Ticket.Id(1, 2, ++tickets), watched, 10, woken::incrementAndGet);
  }

  @Test
  void one_that_ends_while_it_is_opened_is_not_kept() {
    streams.nextEnds(Status.UNAVAILABLE);
    assertThat(arm("a")).isEqualTo(WatchRegistry.Armed.NO);
    assertThat(watches.size()).isZero();
    assertThat(watches.lost()).isOne();
    assertThat(arm("a")).isEqualTo(WatchRegistry.Armed.YES);
    streams.last().says(begun(0));
    streams.last().says(changed(0, "a"));
    assertThat(woken).as("the next one rings").hasValue(1);
    assertThat(watches.fired()).isOne();
  }

  @Test
  void one_that_is_denied_something_is_given_up_with_all_that_wait() {
    arm("a");
    streams.last().says(begun(0));
    now += QUIET.toNanos();
    arm("b");
    streams.last().says(denied());
    assertThat(streams.last().isCancelled()).isTrue();
    assertThat(woken).as("both ask again").hasValue(2);
    assertThat(watches.fired()).as("by no event").isZero();
    assertThat(watches.size()).isZero();
    assertThat(arm("a")).as("over another stream, at once").isEqualTo(WatchRegistry.Armed.YES);
    assertThat(streams.opened()).isEqualTo(2);
  }

  @Test
  void what_is_denied_again_and_again_is_asked_for_once_a_second() {
    arm("a");
    streams.last().says(denied());
    assertThat(arm("a")).isEqualTo(WatchRegistry.Armed.NO);
    assertThat(arm("b")).isEqualTo(WatchRegistry.Armed.NO);
    assertThat(streams.opened()).isOne();
    now += QUIET.toNanos();
    assertThat(arm("a")).isEqualTo(WatchRegistry.Armed.YES);
    assertThat(streams.opened()).isEqualTo(2);
  }

  @Test
  void a_watch_that_the_server_ends_as_for_a_compaction_wakes_who_waits_for_it_alone() {
    arm("a");
    streams.last().says(begun(0));
    arm("b");
    streams.last().says(begun(1));
    streams.last().says(compacted(0));
    assertThat(woken).as("the one that must ask again").hasValue(1);
    assertThat(streams.last().isCancelled()).isFalse();
    assertThat(arm("a"))
        .as("another watch over the same stream")
        .isEqualTo(WatchRegistry.Armed.YES);
    streams.last().says(begun(2));
    streams.last().says(changed(2, "a"));
    assertThat(woken).hasValue(2);
    assertThat(streams.opened()).isOne();
  }

  @Test
  void a_ticket_is_quiet_from_when_all_is_told_until_something_is() {
    arm("a");
    Ticket.Id first = new Ticket.Id(1, 2, tickets);
    assertThat(watches.isQuiet(first)).as("not begun").isFalse();
    streams.last().says(begun(0));
    assertThat(watches.isQuiet(first)).isTrue();
    streams.last().says(changed(0, "a"));
    assertThat(watches.isQuiet(first)).as("rung").isFalse();
    arm("b");
    Ticket.Id second = new Ticket.Id(1, 2, tickets);
    streams.last().says(begun(1));
    streams.last().says(compacted(1));
    assertThat(watches.isQuiet(second)).as("the server ended it").isFalse();
    arm("c");
    Ticket.Id third = new Ticket.Id(1, 2, tickets);
    streams.last().says(begun(2));
    watches.close();
    assertThat(watches.isQuiet(third)).as("no stream").isFalse();
  }

  @Test
  void a_ticket_whose_look_was_before_its_watch_began_is_quiet_after_another() {
    arm("a");
    Ticket.Id id = new Ticket.Id(1, 2, tickets);
    streams.last().says(begun(0, 11));
    assertThat(watches.isQuiet(id)).isFalse();
    watches.arm(id, WatchTarget.key(ByteString.copyFromUtf8("a")), 11, woken::incrementAndGet);
    assertThat(watches.isQuiet(id)).isTrue();
  }

  @Test
  void closing_ends_the_stream_at_the_server() {
    arm("a");
    watches.close();
    assertThat(streams.last().isCancelled()).isTrue();
    assertThat(arm("a")).isEqualTo(WatchRegistry.Armed.NO);
  }

  private static WatchResponse begun(long number) {
    return begun(number, 10);
  }

  private static WatchResponse begun(long number, long revision) {
    return WatchResponse.newBuilder()
        .setCreated(true)
        .setWatchId(number)
        .setHeader(ResponseHeader.newBuilder().setRevision(revision))
        .build();
  }

  /** As etcd 3.4 says it: with the number of the first watch. */
  private static WatchResponse denied() {
    return WatchResponse.newBuilder()
        .setCreated(true)
        .setCanceled(true)
        .setCancelReason("etcdserver: permission denied")
        .build();
  }

  private static WatchResponse compacted(long number) {
    return WatchResponse.newBuilder()
        .setWatchId(number)
        .setCanceled(true)
        .setCompactRevision(12)
        .build();
  }

  private static WatchResponse changed(long number, String key) {
    KeyValue changed = KeyValue.newBuilder().setKey(ByteString.copyFromUtf8(key)).build();
    return WatchResponse.newBuilder()
        .setWatchId(number)
        .addEvents(Event.newBuilder().setKv(changed))
        .build();
  }
}
