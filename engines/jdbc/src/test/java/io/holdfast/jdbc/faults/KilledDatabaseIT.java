package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that is killed in the middle of its work, and started again. */
@Timeout(120)
class KilledDatabaseIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource
  @DisplayName("holds live on, waits end in time, nothing that was answered is forgotten")
  void killed(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast mine = Holdfast.connect(server.url() + "&holdfast.lease=10s");
        Holdfast theirs = Holdfast.connect(server.url() + "&holdfast.lease=10s")) {
      Hold kept = mine.lock("kept").acquire(LONG);
      List<Hold> answered = Collections.synchronizedList(new ArrayList<>());
      Thread taker = new Thread(() -> take(mine, answered), "taker");
      taker.start();
      Await.until("grants", LONG, () -> answered.size() >= 50);
      CompletableFuture<Hold> waits = theirs.lock("kept").acquireAsync(LONG);
      CompletableFuture<Hold> gone = theirs.lock("kept").acquireAsync(Duration.ofSeconds(1));

      long killed = server.process().kill9();
      taker.join();
      refused(kind, theirs);
      Throwable end = catchThrowable(() -> gone.get(30, TimeUnit.SECONDS));
      assertThat(end).hasCauseInstanceOf(HoldfastException.class);
      server.process().restart();
      long up = System.nanoTime();
      Hold fresh = theirs.lock("fresh").acquire(LONG);
      Figure.within(
          Duration.ofSeconds(1),
          System.nanoTime() - up,
          "%s: killed, up again after %,d ms: next grant"
              .formatted(kind, (up - killed) / 1_000_000));
      fresh.release();
      nothingForgotten(kind, theirs, answered);
      Await.until("a renewal", LONG, () -> kept.remaining().compareTo(Duration.ofSeconds(9)) > 0);
      kept.ensureHeld();
      kept.release();
      Hold next = waits.get(30, TimeUnit.SECONDS);
      assertThat(next.token()).isGreaterThan(kept.token());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a release that the crash undid costs what is left of its lease, and no more")
  void releasedJustBefore(Server.Kind kind) throws Exception {
    Duration lease = Duration.ofSeconds(2);
    try (Server server = kind.start();
        Holdfast mine = Holdfast.connect(server.url() + "&holdfast.lease=2s");
        Holdfast theirs = Holdfast.connect(server.url() + "&holdfast.lease=2s")) {
      List<Hold> released = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Hold hold = mine.lock("released/" + i).acquire(LONG);
        hold.release();
        released.add(hold);
      }
      server.process().kill9();
      server.process().restart();
      long up = System.nanoTime();
      int undone = 0;
      for (Hold hold : released) {
        Optional<Hold> next = theirs.lock(hold.name()).tryAcquire();
        undone += next.isPresent() ? 0 : 1;
        Hold last = next.isPresent() ? next.get() : theirs.lock(hold.name()).acquire(LONG);
        assertThat(last.token()).isGreaterThan(hold.token());
        last.release();
      }
      Figure.within(
          lease.plusSeconds(1),
          System.nanoTime() - up,
          "%s: killed: %d of 20 releases undone, all granted anew".formatted(kind, undone));
    }
  }

  /** One name after another, until the database is gone. */
  private static void take(Holdfast mine, List<Hold> answered) {
    try {
      while (true) {
        answered.add(mine.lock("taken/" + answered.size()).acquire(Duration.ofMillis(500)));
      }
    } catch (StoreUnavailableException | OutcomeUnknownException e) {
      // That was the end of it.
      return;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void refused(Server.Kind kind, Holdfast theirs) {
    long start = System.nanoTime();
    Throwable end = catchThrowable(() -> theirs.lock("y").acquire(Duration.ofMillis(700)));
    Figure.within(
        Duration.ofMillis(800),
        System.nanoTime() - start,
        kind + ": killed: acquire(700 ms) ended");
    assertThat(end).isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
  }

  private static void nothingForgotten(Server.Kind kind, Holdfast theirs, List<Hold> answered)
      throws InterruptedException {
    for (Hold hold : answered) {
      hold.ensureHeld();
      assertThat(theirs.lock(hold.name()).tryAcquire()).as(hold.name()).isEmpty();
    }
    for (Hold hold : answered) {
      hold.release();
      try (Hold next = theirs.lock(hold.name()).acquire(LONG)) {
        assertThat(next.token()).isGreaterThan(hold.token());
      }
    }
    Figure.print("%s: killed: %,d answered grants, none forgotten", kind, answered.size());
  }
}
