package io.holdfast.etcd.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.holdfast.etcd.EtcdEngine;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;

/** A client whose renewals are sent one by one, behind a line that can be cut and made deaf. */
final class RenewingClient implements AutoCloseable {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static long tickets;

  private final EtcdServer server;
  private final FaultProxy proxy;
  private final ManagedChannel channel;
  private final LossyChannel deaf;
  private final LockEngine engine;

  RenewingClient(EtcdServer server) {
    this.server = server;
    this.proxy = FaultProxy.to(server.process());
    this.channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", proxy.port()).usePlaintext().build();
    this.deaf = new LossyChannel(channel);
    this.engine = EtcdEngine.over(deaf, "renewer");
  }

  FaultProxy proxy() {
    return proxy;
  }

  LossyChannel deaf() {
    return deaf;
  }

  LockEngine engine() {
    return engine;
  }

  Ticket held(String name, Duration lease) throws Exception {
    return held(ticket(name, lease));
  }

  Ticket held(Ticket ticket) throws Exception {
    assertThat(engine.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
    awaitQuiet(ticket);
    return ticket;
  }

  /** Its next renewals ask nothing, unless something happens. */
  void awaitQuiet(Ticket ticket) {
    Await.until("quiet", SOON, () -> !asksToRenew(ticket));
  }

  boolean asksToRenew(Ticket ticket) throws Exception {
    int before = deaf.calls();
    assertThat(renew(ticket)).isInstanceOf(Renewal.Renewed.class);
    return deaf.calls() > before;
  }

  /** A renewal a moment later must report it, and so must all later ones. */
  Renewal.Gone awaitGone(Ticket ticket) throws Exception {
    Await.until("gone", SOON, () -> renew(ticket) instanceof Renewal.Gone);
    return (Renewal.Gone) renew(ticket);
  }

  /** Retries until there is a reply: a connection that was cut is reopened. */
  Renewal renew(Ticket ticket) throws Exception {
    for (int i = 0; ; i++) {
      try {
        return engine.renew(ticket);
      } catch (EngineException e) {
        if (i == 100) {
          throw e;
        }
      }
    }
  }

  boolean isWanted(Ticket ticket) throws Exception {
    return renew(ticket) instanceof Renewal.Renewed renewed && renewed.wanted();
  }

  long token(Ticket ticket) throws Exception {
    Standing.Granted again = (Standing.Granted) engine.attempt(ticket, () -> {});
    awaitQuiet(ticket);
    return again.token();
  }

  void delete(Ticket ticket) {
    Keys keys = new Layout("holdfast/").of(ticket.resource(), ticket.shape());
    server.keys(keys.line().from().toStringUtf8()).forEach(server::delete);
  }

  long watched() {
    return engine.condition().counters().get("signals.holds");
  }

  double watchers() {
    return server.metric("etcd_debugging_mvcc_watcher_total");
  }

  double requests() {
    return server.metric("grpc_server_msg_received_total");
  }

  static Ticket ticket(String name, Duration lease) {
    return ticket(name, lease, Shape.mutex(Order.ANY), 1);
  }

  static Ticket ticket(String name, Duration lease, Shape shape, int weight) {
    return new Ticket(
        new Ticket.Id(1, 2, ++tickets),
        new Resource("default", name),
        shape,
        weight,
        lease,
        0,
        true,
        new Owner("", "here", 1, "test", ""));
  }

  @Override
  public void close() {
    engine.close();
    channel.shutdownNow();
    proxy.close();
  }
}
