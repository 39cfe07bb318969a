package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.wire.MessageWriter;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import io.holdfast.spi.wire.Wire;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that share a server and do not know each other cannot harm each other. */
@Timeout(60)
class SharedServerTest {

  private LockServer server;

  private LockServer start(ServerOptions options) throws Exception {
    World world = World.system();
    server =
        LockServer.start(
            MemoryEngine.create(world::nanoTime, world::epochMicros),
            HoldfastOptions.DEFAULTS,
            options.withPort(0),
            world);
    return server;
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static String refusal(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Failed.class);
    EngineException failure = ((Reply.Failed) reply).failure();
    assertThat(failure).isInstanceOf(EngineException.Refused.class);
    return failure.getMessage();
  }

  private static Standing.Granted grant(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.OfAttempt.class);
    return (Standing.Granted) ((Reply.OfAttempt) reply).standing();
  }

  @Test
  void anOperatorCanRaiseTheGeneration() throws Exception {
    try (WireClient client = new WireClient(start(ServerOptions.DEFAULTS))) {
      Ticket raised = WireClient.ticket("orders", Duration.ofSeconds(30), 5);
      assertThat(grant(client.attempt(raised)).token() >> 56).isEqualTo(5);
    }
  }

  @Test
  void theGenerationOfTheServerIsThatOfItsClients() throws Exception {
    ServerOptions options = ServerOptions.DEFAULTS.withGeneration(3);
    try (WireClient client = new WireClient(start(options))) {
      assertThat(grant(client.attempt(WireClient.ticket("orders"))).token() >> 56).isEqualTo(3);
    }
  }

  @Test
  void aShortLeaseIsRefusedAndItsTicketCanLeave() throws Exception {
    try (WireClient client = new WireClient(start(ServerOptions.DEFAULTS))) {
      assertThat(client.hello.get().leaseFloor()).isEqualTo(Duration.ofSeconds(5));
      Ticket brief = WireClient.ticket("orders", Duration.ofMillis(4_999));
      assertThat(refusal(client.attempt(brief))).contains("at least 5 s", "orders");
      assertThat(refusal(client.call(new VerbMessage.Renew(brief)))).contains("at least 5 s");
      assertThat(client.call(new VerbMessage.Leave(brief, true)))
          .isEqualTo(new Reply.OfLeave(Left.NOTHING));
    }
  }

  @Test
  void aMalformedMessageEndsItsConnectionAndNoOther() throws Exception {
    start(ServerOptions.DEFAULTS);
    try (WireClient other = new WireClient(server);
        WireClient broken = new WireClient(server)) {
      MessageWriter message = new MessageWriter(Wire.VERBS).putInt(1).putInt(1_000_000_000);
      broken.sendRaw(message.toBuffer());
      assertThat(broken.closed.get(10, TimeUnit.SECONDS)).isEqualTo(1002);
      grant(other.attempt(WireClient.ticket("orders")));
    }
  }

  @Test
  void otherAddressesThanLoopbackNeedACertificateAndAnAuthFile() throws Exception {
    assertThatThrownBy(() -> start(ServerOptions.DEFAULTS.withHost("0.0.0.0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.0.0.0")
        .hasMessageContaining("--tls-cert")
        .hasMessageContaining("--auth");
  }
}
