package io.holdfast.rig.faults;

import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.time.LongRun;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.faults.ClientSpec;
import io.holdfast.tck.faults.FaultClient;
import io.holdfast.tck.faults.FaultServer;
import io.holdfast.tck.faults.FaultStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * A store of the fault kit that consists of server processes. What an engine's test adds is what
 * only the engine knows: its records.
 */
public abstract class ServerFaultStore implements FaultStore {

  private final String name;
  private final FaultClients clients;
  private final List<ServerProcess> servers;

  /**
   * A store whose clients go to its servers by their addresses, and so through proxies.
   *
   * @param name for figures
   * @param uri the address of the store with these ports, in the order of the servers
   */
  protected ServerFaultStore(
      String name,
      EngineProvider provider,
      List<ServerProcess> servers,
      Function<List<Integer>, String> uri) {
    this.name = name;
    this.servers = List.copyOf(servers);
    this.clients =
        new FaultClients(provider, servers.stream().map(ServerProcess::address).toList(), uri);
  }

  /**
   * A store whose clients are told by its servers where to go, past all proxies: their verbs are
   * cut off, not their connections.
   *
   * @param name for figures
   */
  protected ServerFaultStore(
      String name, EngineProvider provider, List<ServerProcess> servers, String uri) {
    this.name = name;
    this.servers = List.copyOf(servers);
    this.clients = new FaultClients(provider, List.of(), ports -> uri);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public LockEngine connect(Settings settings) {
    return clients.connect(settings);
  }

  @Override
  public FaultClient start(ClientSpec spec) throws Exception {
    return clients.start(spec);
  }

  /** The address of the store itself, past all proxies. */
  protected final String uri() {
    return clients.uri();
  }

  /** Enough for several batches of renewals; the long run shows how many one client can keep. */
  @Override
  public int manyHolds() {
    return LongRun.of(300, 1_000);
  }

  @Override
  public void freeze() {
    servers.forEach(ServerProcess::pause);
  }

  @Override
  public void resume() {
    servers.forEach(ServerProcess::resume);
  }

  @Override
  public void kill() {
    servers.forEach(ServerProcess::kill9);
  }

  @Override
  public void restart() {
    // At the same time: some are ready only when most of them are.
    List<CompletableFuture<Void>> starting =
        servers.stream().map(server -> CompletableFuture.runAsync(server::restart)).toList();
    starting.forEach(CompletableFuture::join);
  }

  /** The processes, of which every name needs each. */
  @Override
  public List<? extends FaultServer> servers() {
    return servers.stream().map(server -> server(server, (namespace, name) -> true)).toList();
  }

  /** The lines that the engine's own inspector lists. */
  protected List<String> listed(String namespace) throws Exception {
    try (LockEngine engine = connect(settings())) {
      return engine
          .inspector()
          .orElseThrow()
          .list(namespace, "", "", EngineInspector.MAX_PAGE)
          .stream()
          .map(LineView::toString)
          .toList();
    }
  }

  private Settings settings() {
    return new Settings(
        lease(),
        Duration.ofSeconds(2),
        0,
        System::nanoTime,
        () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  /**
   * One of the servers, as F14 hangs it.
   *
   * @param needed whether a namespace and a name cannot be served without it
   */
  protected static FaultServer server(ServerProcess process, BiPredicate<String, String> needed) {
    return new FaultServer() {
      @Override
      public void freeze() {
        process.pause();
      }

      @Override
      public void resume() {
        process.resume();
      }

      @Override
      public boolean isNeededFor(String namespace, String name) {
        return needed.test(namespace, name);
      }
    };
  }
}
