package io.holdfast.etcd.signals;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.connection.Members;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Ticket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What watches do before there is a stream. */
@Timeout(60)
class WatchRegistryTest {

  private static final Duration LOGIN = Duration.ofSeconds(10);

  @Test
  void nobody_waits_while_another_logs_in() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Members members = members(silent);
        WatchRegistry watches = new WatchRegistry(members, LOGIN, System::nanoTime)) {
      Ticket.Id id = new Ticket.Id(1, 2, 3);
      CompletableFuture<WatchRegistry.Armed> arming =
          CompletableFuture.supplyAsync(
              () -> watches.arm(id, WatchTarget.key(ByteString.copyFromUtf8("a")), 1, () -> {}));
      try (Socket asked = silent.accept()) {
        assertThat(asked.getInputStream().read()).as("it has begun").isNotNegative();
        long start = System.nanoTime();
        assertThat(CompletableFuture.supplyAsync(watches::size).get(30, TimeUnit.SECONDS)).isZero();
        watches.disarm(id);
        assertThat(System.nanoTime() - start).isLessThan(LOGIN.toNanos() / 2);
        assertThat(arming).isNotDone();
      }
      members.close();
      Await.until("it gave up", LOGIN.multipliedBy(2), arming::isDone);
      assertThat(arming.get()).isEqualTo(WatchRegistry.Armed.NO);
    }
  }

  private static Members members(ServerSocket silent) {
    return Members.of(
        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), silent.getLocalPort())),
        null,
        "user",
        "password",
        "silent",
        "holdfast/",
        Members.Timing.of(Duration.ofSeconds(30), LOGIN));
  }
}
