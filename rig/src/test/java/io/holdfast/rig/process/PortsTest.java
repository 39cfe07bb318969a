package io.holdfast.rig.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void ports_are_free_and_never_given_twice() {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      int port = Ports.free();
      assertThat(Ports.isFree(port)).isTrue();
      assertThat(ports.add(port)).isTrue();
    }
  }

  @Test
  void a_port_that_is_listened_on_is_not_free() throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(Ports.loopback(0));
      assertThat(Ports.isFree(socket.getLocalPort())).isFalse();
    }
  }
}
