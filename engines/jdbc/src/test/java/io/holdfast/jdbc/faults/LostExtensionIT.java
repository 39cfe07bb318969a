package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.spi.Order;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An extension that reaches the database, and whose answer does not reach the holder. */
@Timeout(120)
class LostExtensionIT {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(2);

  @ParameterizedTest
  @EnumSource
  @DisplayName("does not end the lease that the holder still believes in")
  void keepsTheLease(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast rival = Holdfast.connect(server.url())) {
      for (Order order : Order.values()) {
        try (FaultProxy proxy = FaultProxy.to(server.process());
            Holdfast holder =
                Holdfast.connect(server.url(proxy.port()) + "&holdfast.fixedLease=20s")) {
          keepsTheLease(in(holder, order), in(rival, order), proxy);
        }
      }
    }
  }

  private static Holdfast in(Holdfast holdfast, Order order) {
    return holdfast.with(options -> options.withOrder(order));
  }

  private static void keepsTheLease(Holdfast holder, Holdfast rival, FaultProxy proxy)
      throws Exception {
    String name = "extended " + proxy.port();
    Hold hold = holder.lock(name).acquire(LONG);
    // The connection for it is there now.
    hold.extend(LONG);
    proxy.passOnly(Direction.REQUESTS);
    assertThatThrownBy(() -> hold.extend(SHORT)).isInstanceOf(HoldfastException.class);

    assertThat(rival.lock(name).tryAcquire(SHORT.multipliedBy(2))).isEmpty();
    assertThat(hold.isHeld()).isTrue();
  }
}
