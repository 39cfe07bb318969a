package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.process.Ports;
import io.holdfast.server.LockServer;
import io.holdfast.spi.Guarantee;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a store promises is known when a server has replied, and not before. */
@Timeout(60)
class GuaranteesTest {

  @Test
  void aClientThatStartsBeforeItsServerLearnsTheGuaranteesLater() throws Exception {
    int port = Ports.free();
    HoldfastOptions patient = HoldfastOptions.DEFAULTS.withOperationTimeout(Duration.ofSeconds(10));
    try (Holdfast holdfast = Holdfast.connect("http://127.0.0.1:" + port, patient)) {
      assertThatThrownBy(holdfast::guarantees)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("http://127.0.0.1:" + port);
      assertThatThrownBy(() -> holdfast.require(Guarantee.FENCING))
          .isInstanceOf(StoreUnavailableException.class);
      try (LockServer server =
          LockServer.start("memory:guarantees", RemoteStore.OPTIONS.withPort(port))) {
        assertThat(holdfast.require(Guarantee.FENCING, Guarantee.FIFO, Guarantee.SHARED))
            .isSameAs(holdfast);
        assertThat(holdfast.guarantees())
            .contains(Guarantee.ACROSS_PROCESSES)
            .doesNotContain(Guarantee.PORTABLE_TICKETS, Guarantee.TOKENS_SURVIVE_RESTART);
        assertThatThrownBy(() -> holdfast.require(Guarantee.PORTABLE_TICKETS))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("PORTABLE_TICKETS");
        assertThat(server.isPortable()).isFalse();
      }
    }
  }

  @Test
  void theTraitsAreTheSameBeforeAndAfter() throws Exception {
    int port = Ports.free();
    var engine = RemoteStore.open("http://127.0.0.1:" + port);
    var before = engine.traits();
    try (engine;
        LockServer server = LockServer.start("memory:traits", RemoteStore.OPTIONS.withPort(port))) {
      assertThat(engine.guarantees()).contains(Guarantee.FENCING);
      assertThat(engine.traits()).isEqualTo(before);
      assertThat(server.port()).isEqualTo(port);
    }
  }
}
