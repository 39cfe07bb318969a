package io.holdfast.rig.faults;

import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ServerClock;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.faults.Ability;
import io.holdfast.tck.faults.ClientSpec;
import io.holdfast.tck.faults.FaultClient;
import io.holdfast.tck.faults.LocalFaultClient;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Function;

/**
 * Creates clients for the fault kit on a real server. A client that is to be killed is a process; a
 * client that is only cut off is in this JVM, behind proxies.
 */
public final class FaultClients {

  private final EngineProvider provider;
  private final List<InetSocketAddress> servers;
  private final Function<List<Integer>, String> uri;

  /**
   * Clients of a store.
   *
   * @param provider opens engines in this JVM; other JVMs find it by the URI
   * @param servers of the store, all of which a client may connect to; none if there is no network,
   *     and clients of this JVM are cut off verb by verb
   * @param uri the address of the store with these ports, in the order of the servers
   */
  public FaultClients(
      EngineProvider provider,
      List<InetSocketAddress> servers,
      Function<List<Integer>, String> uri) {
    this.provider = provider;
    this.servers = List.copyOf(servers);
    this.uri = uri;
  }

  /** The address of the store itself. */
  public String uri() {
    return uri.apply(servers.stream().map(InetSocketAddress::getPort).toList());
  }

  /** Connects a client of this JVM that nothing happens to. */
  public LockEngine connect(Settings settings) {
    return provider.open(uri(), settings);
  }

  /** Starts a client that something will happen to. */
  public FaultClient start(ClientSpec spec) throws Exception {
    if (spec.needs(Ability.CLOCK) && !ServerClock.isAvailable()) {
      Figure.print("no gcc: the clock of %s is wrong inside this JVM only", spec.name());
      return behindProxies(spec);
    }
    boolean process =
        spec.needs(Ability.KILL) || spec.needs(Ability.FREEZE) || spec.needs(Ability.CLOCK);
    return process ? FaultClientJvm.start(spec, uri()) : behindProxies(spec);
  }

  private FaultClient behindProxies(ClientSpec spec) throws Exception {
    if (servers.isEmpty()) {
      return LocalFaultClient.open(spec, this::connect);
    }
    List<FaultProxy> proxies = servers.stream().map(FaultProxy::to).toList();
    String through = uri.apply(proxies.stream().map(FaultProxy::port).toList());
    return LocalFaultClient.open(
        spec, settings -> provider.open(through, settings), new ProxyLink(proxies));
  }
}
