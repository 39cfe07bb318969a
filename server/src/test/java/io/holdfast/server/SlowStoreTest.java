package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.server.HttpCalls.Reply;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests to a store that takes longer than their clients wait. */
@Timeout(60)
class SlowStoreTest {

  private static final Duration WAIT = Duration.ofSeconds(1);

  private final World world = World.system();
  private final GatedEngine engine =
      new GatedEngine(MemoryEngine.create(world::nanoTime, world::epochMicros));

  /** Otherwise the place in line belongs to nobody, for a lease. */
  @Test
  void aClientLearnsItsTicketBeforeItGivesUp(@TempDir Path folder) throws Exception {
    HoldfastOptions patient = HoldfastOptions.DEFAULTS.withOperationTimeout(Duration.ofSeconds(20));
    ServerOptions options = ServerOptions.DEFAULTS.withPort(0).withKeyFile(folder.resolve("key"));
    try (LockServer server = LockServer.start(engine, patient, options, world)) {
      HttpCalls http = new HttpCalls(server);
      engine.hold();
      long begin = System.nanoTime();
      Reply reply = http.acquire("a", "{\"wait\": " + WAIT.toMillis() + "}");
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      engine.letGo();
      System.out.printf(
          "figure: a client that waits 1,000 ms had a reply after %,d ms%n", took.toMillis());
      assertThat(reply.status()).isEqualTo(504);
      assertThat(took).isLessThan(WAIT.multipliedBy(5));
      http.post("/v1/tickets/release", "{\"tickets\": [\"" + reply.text("ticket") + "\"]}");
      assertThat(http.acquire("a", "{\"wait\": 10000}").status()).isEqualTo(200);
    }
  }
}
