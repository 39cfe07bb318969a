package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that meet in a database without tables, and create them at once. */
@Timeout(120)
class FirstUseIT {

  private static final int CLIENTS = 16;
  private static final int ROUNDS = 3;
  private static final Duration WAIT = Duration.ofSeconds(20);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("nobody gets an error, and one is in at a time")
  void together(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      for (int round = 0; round < ROUNDS; round++) {
        together(server.url() + "&holdfast.lanes=1&holdfast.table=t" + round + "_");
      }
    }
  }

  @Test
  @DisplayName("the same on H2")
  void togetherOnH2() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      together("jdbc:h2:mem:first" + round + ";DB_CLOSE_DELAY=-1?holdfast.lanes=1");
    }
  }

  @Test
  @DisplayName("the same on SQLite")
  void togetherOnSqlite() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      together("jdbc:sqlite:" + folder.resolve("first" + round + ".db") + "?holdfast.lanes=1");
    }
  }

  private static void together(String uri) throws Exception {
    CyclicBarrier start = new CyclicBarrier(CLIENTS);
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    long began = System.nanoTime();
    try {
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Callable<Long> body = () -> use(uri, start);
        all.add(threads.submit(body));
      }
      List<Long> tokens = new ArrayList<>();
      for (Future<Long> each : all) {
        tokens.add(each.get());
      }
      assertThat(tokens).doesNotHaveDuplicates();
      Figure.print(
          "%s: %d clients created the tables at once, %,d ms until all had been in",
          uri.split(":", 3)[1], CLIENTS, (System.nanoTime() - began) / 1_000_000);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long use(String uri, CyclicBarrier start) throws Exception {
    try (Holdfast client = Holdfast.connect(uri)) {
      start.await();
      try (Hold hold = client.lock("first").acquire(WAIT)) {
        hold.ensureHeld();
        return hold.token();
      }
    }
  }
}
