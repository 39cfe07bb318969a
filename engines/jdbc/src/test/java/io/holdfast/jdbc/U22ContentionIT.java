package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * U22: many clients that want the same new names at once, in batches that overlap. Deadlocks and
 * lock timeouts of the database never reach a caller, and nobody is told busy.
 */
@Timeout(200)
class U22ContentionIT {

  private static final int CLIENTS = 4;
  private static final int THREADS = 8;
  private static final int NAMES = 12;
  private static final int TURNS = 15;
  private static final Duration WAIT = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void on_postgresql() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      contend(server.jdbcUri(PostgresServer.DATABASE, server.user()));
    }
  }

  @Test
  void on_mariadb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("app");
      contend(server.jdbcUri("app", server.user()));
    }
  }

  @Test
  void on_sqlite() throws Exception {
    contend("jdbc:sqlite:" + folder.resolve("u22.db"));
  }

  @Test
  void on_h2() throws Exception {
    contend("jdbc:h2:mem:u22;DB_CLOSE_DELAY=-1");
  }

  private static void contend(String url) throws Exception {
    Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
    List<Holdfast> clients = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS * THREADS);
    long start = System.nanoTime();
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int c = 0; c < CLIENTS; c++) {
        Holdfast client = Holdfast.connect(url, HoldfastOptions.DEFAULTS);
        clients.add(client);
        for (int t = 0; t < THREADS; t++) {
          int number = t;
          Callable<Integer> body = () -> turns(client, number, inside);
          all.add(threads.submit(body));
        }
      }
      int grants = 0;
      for (Future<Integer> each : all) {
        grants += each.get();
      }
      assertThat(grants).isEqualTo(CLIENTS * THREADS * TURNS);
      System.out.printf(
          "figure: U22 on %s: %,d grants in %,d ms, %s%n",
          url.replaceAll("[?;].*", ""),
          grants,
          (System.nanoTime() - start) / 1_000_000,
          clients.get(0).health().counters());
    } finally {
      threads.shutdownNow();
      clients.forEach(client -> client.close(Duration.ZERO));
    }
  }

  private static int turns(Holdfast client, int number, Map<String, AtomicInteger> inside)
      throws Exception {
    Holdfast view = number % 4 == 0 ? client.with(o -> o.withOrder(Order.FIFO)) : client;
    for (int turn = 0; turn < TURNS; turn++) {
      // Lines and plain mutexes have names of their own; within each, everybody wants the same.
      String name = (number % 4 == 0 ? "line/" : "any/") + (turn * 7 + number) % NAMES;
      AtomicInteger in = inside.computeIfAbsent(name, n -> new AtomicInteger());
      try (Hold hold = view.lock(name).acquire(WAIT)) {
        assertThat(in.incrementAndGet()).as("in %s", name).isEqualTo(1);
        hold.ensureHeld();
        in.decrementAndGet();
      }
    }
    return TURNS;
  }
}
