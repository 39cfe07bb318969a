package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Hold;
import io.holdfast.LockRefusedException;
import io.holdfast.Outcome;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("read/write locks")
interface ReadWriteLockChapter {

  Duration WAIT = Duration.ofHours(1);

  @Test
  @Requires(Capability.READ_WRITE)
  default void readers_share_the_lock_and_a_writer_excludes_all(KitFixture fixture)
      throws Exception {
    DistributedReadWriteLock mine = fixture.apiClient().holdfast().readWriteLock("shared");
    DistributedReadWriteLock theirs = fixture.apiClient().holdfast().readWriteLock("shared");
    List<Hold> readers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      readers.add((i % 2 == 0 ? mine : theirs).readLock().tryAcquire().orElseThrow());
    }
    HoldAssertions.requireRefused(
        mine.writeLock().tryAcquire(), readers, "a writer while readers hold");
    readers.forEach(Hold::release);
    try (Hold writer = theirs.writeLock().tryAcquire().orElseThrow()) {
      HoldAssertions.requireRefused(mine.readLock().tryAcquire(), List.of(writer), "a reader");
      HoldAssertions.requireRefused(
          mine.writeLock().tryAcquire(), List.of(writer), "a second writer");
      readers.forEach(reader -> assertThat(writer.token()).isGreaterThan(reader.token()));
    }
    fixture.awaitTickets("shared", 0);
  }

  @Test
  @Requires(Capability.READ_WRITE)
  default void u38_a_later_reader_waits_behind_a_waiting_writer(KitFixture fixture)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = fixture.resource("starving");
    Ticket reader = client.reader(resource);
    Ticket writer = client.ticket(resource, Shape.readWrite());
    Ticket later = client.reader(resource);
    Ticket latest = client.reader(resource);
    client.expectGranted(reader);
    client.expectWaiting(writer);
    client.expectWaiting(later);
    client.expectWaiting(latest);
    client.leave(reader);
    client.expectGranted(writer);
    client.leave(writer);
    client.expectGranted(latest);
    client.expectGranted(later);
  }

  @Test
  @Requires(Capability.READ_WRITE)
  default void u38_a_waiting_writer_is_granted_while_readers_keep_coming(KitFixture fixture)
      throws Exception {
    DistributedReadWriteLock busy = fixture.apiClient().holdfast().readWriteLock("stream");
    ApiClient writing = fixture.apiClient();
    Hold reader = busy.readLock().acquire(WAIT);
    BackgroundTask<Hold> writer =
        fixture.run(
            "writer", () -> writing.holdfast().readWriteLock("stream").writeLock().acquire(WAIT));
    fixture.time().until("the writer in line", fixture.soon(), () -> writing.waits("stream") > 0);
    List<BackgroundTask<Hold>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(fixture.run("reader-" + i, () -> busy.readLock().acquire(WAIT)));
    }
    fixture.time().pass(Duration.ofSeconds(1));
    assertThat(readers).noneMatch(BackgroundTask::hasEnded);
    reader.release();
    writer.result(fixture.soon()).release();
    for (BackgroundTask<Hold> each : readers) {
      each.result(fixture.soon()).release();
    }
  }

  @Test
  @Requires(Capability.READ_WRITE)
  default void u38_no_writer_is_granted_during_a_downgrade(KitFixture fixture) throws Exception {
    DistributedReadWriteLock mine = fixture.apiClient().holdfast().readWriteLock("downgrade");
    ApiClient rival = fixture.apiClient();
    Hold writer = mine.writeLock().acquire(WAIT);
    BackgroundTask<Hold> waits =
        fixture.run(
            "rival", () -> rival.holdfast().readWriteLock("downgrade").writeLock().acquire(WAIT));
    fixture.time().until("the rival in line", fixture.soon(), () -> rival.waits("downgrade") > 0);
    Hold reader = mine.downgrade(writer);
    assertThat(reader.token()).isEqualTo(writer.token());
    assertThat(writer.isHeld()).isFalse();
    assertThat(writer.release()).isEqualTo(Outcome.ALREADY_RELEASED);
    fixture.time().pass(fixture.lease());
    HoldAssertions.requireHeld(reader, "the downgraded hold");
    assertThat(waits.hasEnded()).as("writer granted while the reader holds").isFalse();
    reader.release();
    waits.result(fixture.soon()).release();
  }

  @Test
  @Requires(Capability.READ_WRITE)
  default void a_downgrade_admits_waiting_readers(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = fixture.resource("shrink");
    Ticket writer = client.ticket(resource, Shape.readWrite());
    Ticket reader = rival.reader(resource);
    long token = client.expectGranted(writer).token();
    rival.expectWaiting(reader);
    assertThat(client.expectGranted(writer.withWeight(1)).token()).isEqualTo(token);
    rival.awaitGranted(reader, fixture.soon());
    rival.expectWaiting(rival.ticket(resource, Shape.readWrite()));
    client.expectRenewed(writer.withWeight(1));
  }

  @Test
  @Requires(Capability.READ_WRITE)
  default void u38_the_share_of_a_dead_reader_ends_while_other_readers_renew(KitFixture fixture)
      throws Exception {
    VerbClient dead = fixture.verbClient();
    VerbClient alive = fixture.verbClient();
    VerbClient writing = fixture.verbClient();
    Resource resource = fixture.resource("zombie");
    Ticket kept = alive.reader(resource);
    Ticket writer = writing.ticket(resource, Shape.readWrite());
    dead.expectGranted(dead.reader(resource));
    alive.expectGranted(kept);
    writing.expectWaiting(writer);
    dead.kill();
    for (int third = 0; third < 4; third++) {
      fixture.time().pass(fixture.lease().dividedBy(3));
      alive.expectRenewed(kept);
      writing.expectWaiting(writer);
    }
    alive.leave(kept);
    writing.awaitGranted(writer, fixture.soon());
  }

  @Test
  @Requires(Capability.READ_WRITE)
  default void u38_an_upgrade_is_refused_at_once(KitFixture fixture) throws Exception {
    ReadWriteLock lock = fixture.apiClient().holdfast().readWriteLock("upgrade").asJavaLock();
    lock.readLock().lock();
    try {
      assertThatThrownBy(() -> lock.writeLock().lock()).isInstanceOf(LockRefusedException.class);
    } finally {
      lock.readLock().unlock();
    }
    fixture.awaitTickets("upgrade", 0);
  }
}
