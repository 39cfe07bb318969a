package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import io.holdfast.tck.PausableWorld;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that stood still does not act on what had arrived before. */
@Timeout(60)
class PausedServerTest {

  private static final Duration PAUSE = Duration.ofSeconds(3);

  private final PausableWorld world = new PausableWorld(World.system());
  private final GatedEngine engine =
      new GatedEngine(MemoryEngine.create(world::nanoTime, world::epochMicros));
  private LockServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        LockServer.start(
            engine, HoldfastOptions.DEFAULTS, ServerOptions.DEFAULTS.withPort(0), world);
  }

  @AfterEach
  void stop() {
    engine.letGo();
    server.close();
  }

  /** The wall clock tells of a host that was suspended, and of a process that was stopped. */
  private void pause() {
    world.stepClock(PAUSE);
  }

  private boolean isFree(String name) throws Exception {
    return engine.inspector().orElseThrow().show(new Resource("default", name)).isEmpty();
  }

  @Test
  void anAttemptOnAConnectionFromBeforeThePauseIsNotExecuted() throws Exception {
    try (WireClient client = new WireClient(server)) {
      assertThat(client.attempt(WireClient.ticket("before"))).isInstanceOf(Reply.OfAttempt.class);
      pause();
      assertUnknown(client.attempt(WireClient.ticket("late")));
      assertThat(isFree("late")).isTrue();
      assertThat(client.closed.get(10, TimeUnit.SECONDS)).isEqualTo(1001);
    }
    try (WireClient again = new WireClient(server)) {
      assertThat(again.attempt(WireClient.ticket("late"))).isInstanceOf(Reply.OfAttempt.class);
    }
  }

  @Test
  void aVerbThatWaitsInALaneDuringThePauseIsNotSent() throws Exception {
    try (WireClient client = new WireClient(server)) {
      engine.hold();
      CompletableFuture<Reply> first =
          client.send(new VerbMessage.Attempt(WireClient.ticket("first"), 0, 0));
      engine.awaitHeld();
      CompletableFuture<Reply> behind =
          client.send(new VerbMessage.Attempt(WireClient.ticket("behind"), 0, 0));
      // Messages of a connection are taken in order, so the other one is in the lane after this.
      client.attempt(WireClient.ticket("refused", Duration.ofSeconds(1)));
      pause();
      engine.letGo();
      assertThat(first.get(10, TimeUnit.SECONDS)).isInstanceOf(Reply.OfAttempt.class);
      assertUnknown(behind.get(10, TimeUnit.SECONDS));
      assertThat(isFree("behind")).isTrue();
    }
  }

  @Test
  void aPostOnAConnectionFromBeforeThePauseIsNotExecuted() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    assertThat(post(client, "first")).contains("granted");
    pause();
    assertThat(post(client, "late")).contains("urn:holdfast:problem:unknown");
    assertThat(isFree("late")).isTrue();
  }

  private String post(HttpClient client, String name) throws Exception {
    String body =
        "{\"verbs\":[{\"verb\":\"attempt\",\"ticket\":{\"id\":\""
            + WireClient.ticket(name).id().encoded()
            + "\",\"name\":\""
            + name
            + "\"}}]}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + "/v1/verbs"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  private static void assertUnknown(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Failed.class);
    assertThat(((Reply.Failed) reply).failure())
        .isInstanceOf(EngineException.Unknown.class)
        .hasMessageContaining("stood still");
  }
}
