package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.process.Ports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RedisMastersIT {
  @Test
  void each_is_killed_paused_and_emptied_by_itself() {
    try (RedisMasters masters = RedisMasters.start(5, RedisServerOptions.PLAIN.durable())) {
      assertThat(masters.addresses().split(",", -1)).hasSize(5);
      masters.servers().forEach(server -> server.call("SET", "k", "v"));
      int port = masters.server(0).port();
      masters.kill9(0);
      assertThatThrownBy(() -> masters.server(0).call("PING"))
          .hasRootCauseMessage("Connection refused");
      masters.restart(0);
      masters.restartEmpty(1);
      masters.pause(2);
      assertThat(masters.server(2).process().isRunning()).isTrue();
      masters.resume(2);
      assertThat(masters.server(0).port()).isEqualTo(port);
      assertThat(masters.server(0).call("GET", "k")).isEqualTo("v");
      assertThat(masters.server(1).call("GET", "k")).isEqualTo("(nil)");
      assertThat(masters.server(2).call("GET", "k")).isEqualTo("v");
    }
  }

  @Test
  void none_is_left_if_one_does_not_start() {
    int port = Ports.free();
    // The second one finds the port taken by the first.
    assertThatThrownBy(() -> RedisMasters.start(2, RedisServerOptions.PLAIN.withPort(port)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(Ports.isFree(port)).isTrue();
  }
}
