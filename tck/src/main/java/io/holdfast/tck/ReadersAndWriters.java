package io.holdfast.tck;

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

@DisplayName("readers and writers")
interface ReadersAndWriters {

  Duration WAIT = Duration.ofHours(1);

  @Test
  @Needs(Need.READ_WRITE)
  default void readers_are_in_together_and_a_writer_is_alone(Stage stage) throws Exception {
    DistributedReadWriteLock mine = stage.caller().holdfast().readWriteLock("shared");
    DistributedReadWriteLock theirs = stage.caller().holdfast().readWriteLock("shared");
    List<Hold> readers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      readers.add((i % 2 == 0 ? mine : theirs).readLock().tryAcquire().orElseThrow());
    }
    TooLate.requireRefused(mine.writeLock().tryAcquire(), readers, "a writer beside readers");
    readers.forEach(Hold::release);
    try (Hold writer = theirs.writeLock().tryAcquire().orElseThrow()) {
      TooLate.requireRefused(mine.readLock().tryAcquire(), List.of(writer), "a reader");
      TooLate.requireRefused(mine.writeLock().tryAcquire(), List.of(writer), "a second writer");
      readers.forEach(reader -> assertThat(writer.token()).isGreaterThan(reader.token()));
    }
    stage.onlyRemain("shared", 0);
  }

  @Test
  @Needs(Need.READ_WRITE)
  default void u38_a_reader_that_comes_later_waits_behind_a_writer(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Resource resource = stage.resource("starving");
    Ticket reader = actor.reader(resource);
    Ticket writer = actor.ticket(resource, Shape.readWrite());
    Ticket later = actor.reader(resource);
    Ticket latest = actor.reader(resource);
    actor.in(reader);
    actor.out(writer);
    actor.out(later);
    actor.out(latest);
    actor.leave(reader);
    actor.in(writer);
    actor.leave(writer);
    actor.in(latest);
    actor.in(later);
  }

  @Test
  @Needs(Need.READ_WRITE)
  default void u38_a_waiting_writer_is_in_though_readers_keep_coming(Stage stage) throws Exception {
    DistributedReadWriteLock busy = stage.caller().holdfast().readWriteLock("stream");
    Caller writing = stage.caller();
    Hold reader = busy.readLock().acquire(WAIT);
    Running<Hold> writer =
        stage.run(
            "writer", () -> writing.holdfast().readWriteLock("stream").writeLock().acquire(WAIT));
    stage.time().until("the writer waits", stage.soon(), () -> writing.waits("stream") > 0);
    List<Running<Hold>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(stage.run("reader-" + i, () -> busy.readLock().acquire(WAIT)));
    }
    stage.time().pass(Duration.ofSeconds(1));
    assertThat(readers).noneMatch(Running::hasEnded);
    reader.release();
    writer.result(stage.soon()).release();
    for (Running<Hold> each : readers) {
      each.result(stage.soon()).release();
    }
  }

  @Test
  @Needs(Need.READ_WRITE)
  default void u38_no_writer_gets_in_between_when_a_writer_becomes_a_reader(Stage stage)
      throws Exception {
    DistributedReadWriteLock mine = stage.caller().holdfast().readWriteLock("downgrade");
    Caller rival = stage.caller();
    Hold writer = mine.writeLock().acquire(WAIT);
    Running<Hold> waits =
        stage.run(
            "rival", () -> rival.holdfast().readWriteLock("downgrade").writeLock().acquire(WAIT));
    stage.time().until("the rival waits", stage.soon(), () -> rival.waits("downgrade") > 0);
    Hold reader = mine.downgrade(writer);
    assertThat(reader.token()).isEqualTo(writer.token());
    assertThat(writer.isHeld()).isFalse();
    assertThat(writer.release()).isEqualTo(Outcome.ALREADY_RELEASED);
    stage.time().pass(stage.lease());
    TooLate.requireHeld(reader, "the reader that was a writer");
    assertThat(waits.hasEnded()).as("the waiting writer is in beside the reader").isFalse();
    reader.release();
    waits.result(stage.soon()).release();
  }

  @Test
  @Needs(Need.READ_WRITE)
  default void a_downgrade_lets_waiting_readers_in(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = stage.resource("shrink");
    Ticket writer = actor.ticket(resource, Shape.readWrite());
    Ticket reader = rival.reader(resource);
    long token = actor.in(writer).token();
    rival.out(reader);
    assertThat(actor.in(writer.withWeight(1)).token()).isEqualTo(token);
    rival.getsIn(reader, stage.soon());
    rival.out(rival.ticket(resource, Shape.readWrite()));
    actor.renewed(writer.withWeight(1));
  }

  @Test
  @Needs(Need.READ_WRITE)
  default void u38_the_share_of_a_dead_reader_ends_whatever_others_do(Stage stage)
      throws Exception {
    Actor dead = stage.actor();
    Actor alive = stage.actor();
    Actor writing = stage.actor();
    Resource resource = stage.resource("zombie");
    Ticket kept = alive.reader(resource);
    Ticket writer = writing.ticket(resource, Shape.readWrite());
    dead.in(dead.reader(resource));
    alive.in(kept);
    writing.out(writer);
    dead.dies();
    for (int third = 0; third < 4; third++) {
      stage.time().pass(stage.lease().dividedBy(3));
      alive.renewed(kept);
      writing.out(writer);
    }
    alive.leave(kept);
    writing.getsIn(writer, stage.soon());
  }

  @Test
  @Needs(Need.READ_WRITE)
  default void u38_a_reader_that_asks_to_write_is_refused_at_once(Stage stage) throws Exception {
    ReadWriteLock lock = stage.caller().holdfast().readWriteLock("upgrade").asJavaLock();
    lock.readLock().lock();
    try {
      assertThatThrownBy(() -> lock.writeLock().lock()).isInstanceOf(LockRefusedException.class);
    } finally {
      lock.readLock().unlock();
    }
    stage.onlyRemain("upgrade", 0);
  }
}
