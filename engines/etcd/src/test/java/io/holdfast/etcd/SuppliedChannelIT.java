package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An engine over a caller-supplied channel. */
@Timeout(120)
class SuppliedChannelIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String STREAMS = "etcd_debugging_mvcc_watch_stream_total";

  @Test
  @DisplayName("an engine that is closed leaves no stream on it")
  void noStreamIsLeft() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      try {
        for (int i = 0; i < 5; i++) {
          waitAndClose(server, channel);
        }
        assertThat(channel.isShutdown()).isFalse();
        Await.until("no stream", LONG, () -> server.metric(STREAMS) == 0);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private static void waitAndClose(EtcdServer server, ManagedChannel channel) throws Exception {
    HoldfastOptions fifo = HoldfastOptions.DEFAULTS.withOrder(Order.FIFO);
    try (Holdfast holdfast = Holdfast.open(EtcdEngine.over(channel, "supplied"), fifo)) {
      Hold hold = holdfast.lock("x").acquire(LONG);
      CompletableFuture<Hold> waiting = holdfast.lock("x").acquireAsync(LONG);
      Await.until("a stream", LONG, () -> server.metric(STREAMS) > 0);
      hold.close();
      waiting.get(30, TimeUnit.SECONDS).close();
    }
  }
}
