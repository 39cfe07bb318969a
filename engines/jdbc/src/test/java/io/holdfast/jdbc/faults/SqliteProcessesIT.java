package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that share locks in a file. */
@Timeout(120)
class SqliteProcessesIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int SECTIONS = 300;
  private static final int STOPS = 8;
  private static final Duration STOP = Duration.ofMillis(250);

  @TempDir Path folder;

  @Test
  @DisplayName("four processes exclude each other, and go on when one is killed or stands still")
  void four() throws Exception {
    Path notes = Files.createDirectory(folder.resolve("notes"));
    String file = "jdbc:sqlite:" + folder.resolve("locks.db") + "?holdfast.lease=";
    try (HistoryWriter blows = HistoryWriter.create(notes.resolve("test"), "test");
        Holdfast test = Holdfast.connect(file + "2s");
        WorkerJvm a = WorkerJvm.start(Worker.class, notes, "a", file + "2s");
        WorkerJvm b = WorkerJvm.start(Worker.class, notes, "b", file + "2s");
        WorkerJvm c = WorkerJvm.start(Worker.class, notes, "c", file + "2s");
        WorkerJvm d = WorkerJvm.start(Worker.class, notes, "d", file + "30s")) {
      for (WorkerJvm worker : List.of(a, b, c, d)) {
        worker.awaitReady();
      }
      long start = System.nanoTime();
      sections("all", List.of(a, b, c, d));
      Figure.print(
          "sqlite: %,d sections of four processes in %,d ms",
          4 * SECTIONS, (System.nanoTime() - start) / 1_000_000);
      killed(test, d, blows);
      stopped(List.of(a, b, c), blows, "jdbc:sqlite:" + folder.resolve("locks.db"));
      stoppedAtWork(b, List.of(a, c), blows);
    }
    History history = WorkerJvm.history(notes);
    new Overlap().check(history).requireClean(4 * SECTIONS);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(4 * SECTIONS);
  }

  private static void sections(String lock, List<WorkerJvm> workers) {
    workers.forEach(worker -> worker.jvm().say("sections " + lock + " " + SECTIONS + " 20000"));
    for (WorkerJvm worker : workers) {
      assertThat(worker.jvm().awaitLine("sections " + lock + " ", LONG))
          .isEqualTo("sections " + lock + " " + SECTIONS + " of " + SECTIONS);
    }
  }

  /** In the middle of taking one lock after another. */
  private static void killed(Holdfast test, WorkerJvm victim, HistoryWriter blows)
      throws InterruptedException {
    victim.jvm().say("grants taken/");
    victim.jvm().awaitLine("granted 40 ", LONG);
    victim.kill9(blows);
    List<String> granted =
        victim.jvm().lines().stream().filter(line -> line.startsWith("granted ")).toList();
    for (String line : granted) {
      String name = "taken/" + line.split(" ", -1)[1];
      assertThat(test.lock(name).tryAcquire()).as(name).isEmpty();
    }
    Figure.print("sqlite: kill -9: %,d answered grants, none forgotten", granted.size());
  }

  /** One process stands still, while it holds a lock of its own and waits for the shared one. */
  private static void stopped(List<WorkerJvm> workers, HistoryWriter blows, String url) {
    WorkerJvm still = workers.get(0);
    still.acquire("own", "own1", WorkerJvm.LONG);
    still.awaitAcquired("own1");
    List<WorkerJvm> others = workers.subList(1, workers.size());
    others.get(0).acquire("rest", "rest1", WorkerJvm.LONG);
    others.get(0).awaitAcquired("rest1");
    still.jvm().say("sections rest " + SECTIONS + " 20000");
    Await.until("one that waits", LONG, () -> isWanted(url));
    long stopped = still.pause(blows);
    others.get(0).jvm().say("release rest1");
    others.get(0).acquire("own", "own2", LONG);
    sections("rest", others);
    Figure.within(
        LEASE.plusSeconds(1),
        others.get(0).awaitAcquired("own2").nanos() - stopped,
        "sqlite: SIGSTOP of a holder (lease 2 s): next grant");
    List<Long> longest = new ArrayList<>();
    for (WorkerJvm other : others) {
      String said = other.jvm().awaitLine("longest rest ", LONG);
      longest.add(Long.valueOf(said.split(" ", -1)[2]));
    }
    Figure.print(
        "sqlite: SIGSTOP of one of three processes: longest waits of others %s ms", longest);
    still.jvm().resume();
    still.awaitLost("own1");
    assertThat(still.jvm().awaitLine("sections rest ", LONG)).contains(" of " + SECTIONS);
  }

  private static boolean isWanted(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select 1 from holdfast_lock where name = 'rest' and wanted_us > 0")) {
      return rows.next();
    }
  }

  /** Nobody wants the same lock, but all of them write the same file. */
  private static void stoppedAtWork(WorkerJvm still, List<WorkerJvm> others, HistoryWriter blows) {
    still.jvm().say("sections of-b 3000 20000");
    others.forEach(other -> other.jvm().say("sections of-" + other.name() + " 3000 20000"));
    for (int i = 0; i < STOPS; i++) {
      pass(Duration.ofMillis(50));
      still.pause(blows);
      pass(STOP);
      still.jvm().resume();
    }
    for (WorkerJvm other : others) {
      String longest = other.jvm().awaitLine("longest of-" + other.name(), LONG);
      assertThat(other.jvm().awaitLine("sections of-", LONG)).endsWith("3000 of 3000");
      Figure.print(
          "sqlite: a process stopped %d times for %d ms while it writes: %s ms for another name",
          STOPS, STOP.toMillis(), longest);
    }
    assertThat(still.jvm().awaitLine("sections of-", LONG)).endsWith("3000 of 3000");
  }

  private static void pass(Duration time) {
    long start = System.nanoTime();
    Await.until("time", LONG, () -> System.nanoTime() - start > time.toNanos());
  }

  @Test
  @DisplayName("a waiter that is interrupted ends at once and leaves nothing; starting is quick")
  void interrupted() throws Exception {
    long start = System.nanoTime();
    String file = "jdbc:sqlite:" + folder.resolve("waits.db") + "?holdfast.lease=2s";
    try (Holdfast mine = Holdfast.connect(file);
        Holdfast theirs = Holdfast.connect(file)) {
      Hold held = mine.lock("x").acquire(LONG);
      Figure.print(
          "sqlite: new file, connect and first grant after %,d ms",
          (System.nanoTime() - start) / 1_000_000);
      AtomicReference<Throwable> end = new AtomicReference<>();
      Thread waiter = new Thread(() -> end.set(waits(theirs)), "waiter");
      waiter.start();
      Await.until("a waiter", LONG, () -> theirs.health().waiting() == 1);
      long interrupted = System.nanoTime();
      waiter.interrupt();
      waiter.join(30_000);
      Figure.within(
          Duration.ofMillis(100), System.nanoTime() - interrupted, "sqlite: interrupt: wait ended");
      assertThat(end.get()).isInstanceOf(InterruptedException.class);
      held.close();
      long free = System.nanoTime();
      mine.lock("x").acquire(LONG).close();
      Figure.within(
          Duration.ofMillis(500),
          System.nanoTime() - free,
          "sqlite: after an interrupted waiter: next grant");
    }
  }

  private static Throwable waits(Holdfast client) {
    try {
      return new AssertionError("got in: " + client.lock("x").acquire(LONG));
    } catch (InterruptedException | RuntimeException e) {
      return e;
    }
  }
}
