package io.holdfast.jdbc;

import io.holdfast.HoldfastOptions;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * A store whose clients die without a word: each comes through a proxy of its own, and a dead one's
 * falls silent with all connections open, as a machine without power does.
 */
public final class SilentClients implements EngineUnderTest {

  private final ServerProcess server;
  private final JdbcOptions options;
  private final Function<String, DataSource> source;
  private final Map<LockEngine, FaultProxy> proxies = new HashMap<>();
  private final List<FaultProxy> opened = new ArrayList<>();

  /**
   * Clients of a server, which all call it by its own address.
   *
   * @param uri the server's own, with its port in it
   * @param source connections to the address of a proxy
   */
  public SilentClients(ServerProcess server, String uri, Function<String, DataSource> source) {
    this.server = server;
    this.options = JdbcOptions.of(uri);
    this.source = source;
  }

  @Override
  public synchronized LockEngine connect() {
    FaultProxy proxy = FaultProxy.to(server);
    opened.add(proxy);
    String through = options.url().replace(":" + server.port() + "/", ":" + proxy.port() + "/");
    LockEngine engine = JdbcEngine.over(source.apply(through), options, settings());
    proxies.put(engine, proxy);
    return engine;
  }

  /** The usual settings with the shortest lease. */
  public static Settings settings() {
    Settings usual = Engines.settings();
    return new Settings(
        HoldfastOptions.LEASE_FLOOR,
        usual.operationTimeout(),
        usual.lanes(),
        usual.nanoTime(),
        usual.epochMicros());
  }

  @Override
  public synchronized void kill(LockEngine engine) {
    FaultProxy proxy = proxies.get(engine);
    if (proxy == null) {
      throw new IllegalArgumentException("not a client of this store");
    }
    proxy.blackHole();
  }

  @Override
  public synchronized void close() {
    opened.forEach(FaultProxy::close);
  }
}
