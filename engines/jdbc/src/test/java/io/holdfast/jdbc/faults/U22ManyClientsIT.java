package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Outcome;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many clients that want one new name, and then many new names, at once. */
@Timeout(120)
class U22ManyClientsIT {

  private static final int CLIENTS = 64;
  private static final int NAMES = 1_000;
  private static final int EACH = 48;

  /** With time for the answer: on two cores they are slow, which is not what is looked for here. */
  private static final String CLIENT =
      "&holdfast.lanes=1&holdfast.lease=180s&holdfast.operationTimeout=30s";

  private static final Duration WAIT = Duration.ofSeconds(60);

  private final AtomicInteger unanswered = new AtomicInteger();
  private final Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();

  @ParameterizedTest
  @CsvSource({
    "POSTGRESQL, read committed", "POSTGRESQL, repeatable read",
    "MARIADB, read committed", "MARIADB, repeatable read"
  })
  @DisplayName("no error of the database reaches a caller, and nobody meets another one inside")
  void contend(Server.Kind kind, String isolation) throws Exception {
    List<Holdfast> clients = new ArrayList<>();
    try (Server server = kind.start(isolation)) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Holdfast.connect(server.url() + CLIENT));
      }
      long start = System.nanoTime();
      all(clients, client -> List.of("the one"));
      long one = System.nanoTime();
      Random random = new Random(42);
      all(
          clients,
          client -> random.ints(EACH, 0, NAMES).distinct().mapToObj(n -> "n" + n).toList());
      Figure.print(
          "%s, %s: %d clients on one new name %,d ms (with connecting), on %,d names %,d ms, %d releases"
              + " without an answer in time; %s",
          kind,
          isolation,
          CLIENTS,
          (one - start) / 1_000_000,
          inside.size() - 1,
          (System.nanoTime() - one) / 1_000_000,
          unanswered.get(),
          clients.get(0).health().counters());
      Figure.none(unanswered.get(), "releases without an answer");
    } finally {
      clients.forEach(client -> client.close(Duration.ZERO));
    }
  }

  /** Which names a client wants. */
  private interface Wish {
    List<String> of(Holdfast client);
  }

  /** All names of all clients are asked for at once, so that batches of many rows meet. */
  private void all(List<Holdfast> clients, Wish wish) throws Exception {
    List<CompletableFuture<?>> passes = new ArrayList<>();
    for (Holdfast client : clients) {
      for (String name : wish.of(client)) {
        passes.add(client.lock(name).acquireAsync(WAIT).thenAccept(this::pass));
      }
    }
    CompletableFuture.allOf(passes.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
  }

  private void pass(Hold hold) {
    AtomicInteger in = inside.computeIfAbsent(hold.name(), n -> new AtomicInteger());
    assertThat(in.incrementAndGet()).as("in %s", hold.name()).isEqualTo(1);
    hold.ensureHeld();
    in.decrementAndGet();
    if (hold.release() == Outcome.UNKNOWN) {
      unanswered.incrementAndGet();
    }
  }
}
