package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.LeaseGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.etcd.EtcdEngine;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Attempts without a reply to the keep-alive of a lease that renewals keep too. */
@Timeout(120)
class StuckAttemptIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final int HOLDS = 5;

  /** Keep-alives of the lanes for attempts are never answered, when told so; all else passes. */
  private static final class Stuck extends Channel {
    private final Channel well;
    private final Channel hung;
    private final AtomicInteger stuck = new AtomicInteger();
    private volatile boolean on;

    Stuck(Channel well, Channel hung) {
      this.well = well;
      this.hung = hung;
    }

    @Override
    public String authority() {
      return well.authority();
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      boolean renews = Thread.currentThread().getName().contains("reserved");
      boolean keeps =
          method
              .getFullMethodName()
              .equals(LeaseGrpc.getLeaseKeepAliveMethod().getFullMethodName());
      if (on && keeps && !renews) {
        stuck.incrementAndGet();
        return hung.newCall(method, options);
      }
      return well.newCall(method, options);
    }
  }

  @Test
  @DisplayName("renewals do not wait for the lease that an attempt is about to keep")
  void stuckAttempt() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        FaultProxy silent = FaultProxy.to(server.process())) {
      silent.blackHole();
      ManagedChannel well = channel(server.port());
      ManagedChannel hung = channel(silent.port());
      Stuck channel = new Stuck(well, hung);
      HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(LEASE);
      try (Holdfast holdfast = Holdfast.open(EtcdEngine.over(channel, "stuck"), options)) {
        List<Hold> holds = new ArrayList<>();
        for (int i = 0; i < HOLDS; i++) {
          holds.add(holdfast.lock("held/" + i).acquire(LONG));
        }
        channel.on = true;
        long from = System.nanoTime();
        Await.until(
            "three leases",
            LONG,
            () -> {
              try {
                holdfast.lock("wanted").tryAcquire().ifPresent(Hold::close);
              } catch (StoreUnavailableException | OutcomeUnknownException e) {
                // An attempt that was stuck.
              }
              return System.nanoTime() - from > 3 * LEASE.toNanos();
            });
        long lost = holds.stream().filter(hold -> !hold.isHeld()).count();
        Figure.print(
            "an attempt is stuck (lease 3 s): %d of %d holds lost, %d calls were stuck",
            lost, HOLDS, channel.stuck.get());
        assertThat(channel.stuck.get()).isPositive();
        assertThat(lost).isZero();
        channel.on = false;
        holds.forEach(Hold::close);
      } finally {
        well.shutdownNow();
        hung.shutdownNow();
      }
    }
  }

  private static ManagedChannel channel(int port) {
    return ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }
}
