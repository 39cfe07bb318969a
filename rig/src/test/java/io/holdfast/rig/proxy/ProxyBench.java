package io.holdfast.rig.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * An echo server behind a proxy, and clients in front of it; closing it sees that nothing stays.
 */
final class ProxyBench implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(5);

  private final LeakCheck before = LeakCheck.baseline(Inventory.threads());
  private final List<ProxyClient> clients = new ArrayList<>();
  final EchoServer server = new EchoServer();
  final FaultProxy proxy = FaultProxy.to(server.address());

  ProxyBench() throws IOException {}

  ProxyClient connect() throws IOException {
    ProxyClient client = new ProxyClient(proxy.address());
    clients.add(client);
    return client;
  }

  /** The proxy counts a moment after the bytes are seen. */
  void awaitCounts(Predicate<ProxyCounts> expected) {
    Await.until("the counts, now " + proxy.counts(), BOUND, () -> expected.test(proxy.counts()));
  }

  void awaitReceived(String text) {
    Await.until("the arrival of " + text, BOUND, () -> server.received().equals(text));
  }

  @Override
  public void close() throws IOException {
    for (ProxyClient client : clients) {
      client.close();
    }
    proxy.close();
    server.close();
    assertThat(Ports.isFree(proxy.port())).isTrue();
    assertThat(proxy.counts().open()).isZero();
    before.awaitReturn(BOUND).requireClean(1);
  }
}
