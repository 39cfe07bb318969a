package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.process.Ports;
import io.holdfast.server.LockServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Standing;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client goes to the next server after no reply, and the transport sends nothing twice. */
@Timeout(60)
class NextServerTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final int MANY = 60;

  @Test
  void aVerbWithoutReplyIsUnknownAndWasSentOnce() throws Exception {
    try (SilentServer silent = new SilentServer();
        LockEngine engine = open("http://127.0.0.1:" + silent.port())) {
      assertThatThrownBy(() -> engine.attempt(Tickets.of("a"), Tickets.IGNORED))
          .isInstanceOf(EngineException.Unknown.class)
          .hasMessageContaining("127.0.0.1:" + silent.port());
      assertThat(silent.messages()).isEqualTo(1);
    }
  }

  /** A server that hangs still accepts connections, so waiting for a refusal would take forever. */
  @Test
  void aSilentServerCostsOneVerbAndTheNextOneReplies() throws Exception {
    try (SilentServer silent = new SilentServer();
        LockServer server = RemoteStore.serve("memory:next-server")) {
      String both = "http://127.0.0.1:" + silent.port() + ",127.0.0.1:" + server.port();
      // A client begins with any server: this goes on until one has begun with each.
      int unknown = 0;
      int replied = 0;
      for (int i = 0; i < MANY && (unknown == 0 || replied == 0); i++) {
        try (LockEngine engine = open(both)) {
          try {
            engine.attempt(Tickets.of("first" + i), Tickets.IGNORED);
            replied++;
          } catch (EngineException.Unknown e) {
            unknown++;
            assertThat(engine.attempt(Tickets.of("next" + i), Tickets.IGNORED))
                .isInstanceOf(Standing.Granted.class);
          }
        }
      }
      assertThat(unknown).isPositive();
      assertThat(replied).isPositive();
      assertThat(silent.messages()).isEqualTo(unknown);
    }
  }

  @Test
  void programsNoticeNothingButTheTimeOfOneOperation() throws Exception {
    try (SilentServer silent = new SilentServer();
        LockServer server = RemoteStore.serve("memory:next-for-programs")) {
      String both = "http://127.0.0.1:" + silent.port() + ",127.0.0.1:" + server.port();
      for (int i = 0; i < 3; i++) {
        try (Holdfast holdfast =
                Holdfast.connect(both, HoldfastOptions.DEFAULTS.withOperationTimeout(TIMEOUT));
            Hold hold = holdfast.lock("orders").acquire(Duration.ofSeconds(20))) {
          assertThat(hold.isHeld()).isTrue();
        }
      }
    }
  }

  @Test
  void aServerThatIsDownIsPassedOverAtOnce() throws Exception {
    int nobody = Ports.free();
    try (LockServer server = RemoteStore.serve("memory:down")) {
      for (int i = 0; i < 8; i++) {
        try (LockEngine engine =
            open("http://127.0.0.1:" + nobody + ",127.0.0.1:" + server.port())) {
          assertThat(engine.attempt(Tickets.of("down" + i), Tickets.IGNORED))
              .isInstanceOf(Standing.Granted.class);
        }
      }
    }
  }

  @Test
  void withoutAnyServerAVerbIsNotDone() throws Exception {
    try (LockEngine engine = open("http://127.0.0.1:" + Ports.free())) {
      assertThatThrownBy(() -> engine.attempt(Tickets.of("a"), Tickets.IGNORED))
          .isInstanceOf(EngineException.NotDone.class);
    }
  }

  private static LockEngine open(String uri) {
    return new RemoteEngineProvider().open(uri, RemoteStore.settings(TIMEOUT));
  }
}
