package io.holdfast.server;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.runtime.client.ConnectUri;
import io.holdfast.server.http.HttpFront;
import io.holdfast.server.verbs.Pauses;
import io.holdfast.server.verbs.VerbService;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.wire.Hello;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The lock service: passes verbs of clients on to a store and keeps nothing of them.
 *
 * <p>Several servers in front of one store are one service. A hold survives its server: the client
 * renews it through another one.
 *
 * <p>Closing a server ends nobody's hold, if the tickets of its store are portable.
 */
public final class LockServer implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger("io.holdfast.server");

  /** Attempts beyond this are turned away; leaves and renewals are not. */
  private static final int QUEUE_LIMIT = 100_000;

  private final LockEngine engine;
  private final Set<Guarantee> guarantees;
  private final Duration grace;
  private final ServerOptions options;
  private final Guards guards;
  private final Pauses pauses;
  private final VerbService verbs;
  private final HttpFront front;
  private final Optional<AuditSweep> sweep;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private LockServer(
      LockEngine engine, HoldfastOptions store, ServerOptions options, Guards guards, World world) {
    this.engine = engine;
    this.options = options;
    this.guards = guards;
    this.grace = store.operationTimeout().plusSeconds(1);
    this.guarantees = EnumSet.of(Guarantee.ACROSS_PROCESSES);
    guarantees.addAll(engine.traits().guarantees());
    this.pauses = new Pauses(world);
    this.verbs =
        new VerbService(
            engine,
            store.withQueueLimit(QUEUE_LIMIT),
            options.leaseFloor(),
            guards.gate(),
            pauses,
            world);
    this.front =
        new HttpFront(
            new InetSocketAddress(guards.address(), options.port()),
            guards.tls(),
            verbs,
            guards.authenticator(),
            this::hello,
            guards.seal(),
            guards.auditReader(),
            this::condition,
            world);
    this.sweep = guards.gate().audit().map(each -> new AuditSweep(each, engine, front::run, world));
  }

  /**
   * Starts a server in front of the store at an address. The store need not be reachable.
   *
   * @param store an address as {@link io.holdfast.Holdfast#connect(String)} takes it
   * @throws IllegalArgumentException when the address is malformed or no engine handles it, when a
   *     file of the options cannot be used, or when the options do not suffice to listen at the
   *     host: other addresses than loopback need a certificate and an auth file
   * @throws IOException when the port is in use, or the audit cannot be written
   */
  public static LockServer start(String store, ServerOptions options) throws IOException {
    ConnectUri parsed = ConnectUri.parse(store);
    HoldfastOptions all = parsed.applyTo(HoldfastOptions.DEFAULTS);
    World world = World.system();
    return start(parsed.open(all, world), all, options, world);
  }

  /** Starts a server over an engine, which it closes in the end. */
  static LockServer start(
      LockEngine engine, HoldfastOptions store, ServerOptions options, World world)
      throws IOException {
    LockServer server;
    try {
      server = new LockServer(engine, store, options, Guards.open(options, world), world);
    } catch (IOException | RuntimeException e) {
      engine.close();
      throw e;
    }
    server.pauses.watch(server.front::flush);
    try {
      server.front.start();
    } catch (IOException e) {
      server.close();
      throw new IOException(
          "cannot listen at "
              + options.host()
              + ":"
              + options.port()
              + ": "
              + e.getMessage()
              + "; choose another port",
          e);
    }
    server.sweep.ifPresent(AuditSweep::schedule);
    server.warn();
    return server;
  }

  private void warn() {
    if (!isPortable()) {
      LOG.log(
          Level.WARNING,
          "tickets at "
              + engine.traits().store()
              + " belong to the server that joined them: run one server only, and expect that holds"
              + " end with it");
    }
  }

  private Hello hello() {
    return new Hello(
        engine.traits().store(),
        guarantees,
        options.leaseFloor(),
        engine.inspector().isPresent(),
        engine
            .counter()
            .map(each -> each.forgets() ? Hello.Counting.FORGETS : Hello.Counting.SAFE)
            .orElse(Hello.Counting.NONE),
        engine.condition().warnings());
  }

  /** For operators. */
  private Map<String, Object> condition() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("store", engine.traits().store());
    json.put("guarantees", guarantees.stream().map(Guarantee::name).toList());
    json.put("leaseFloor", options.leaseFloor().toMillis());
    json.put("generation", options.generation());
    json.put("connections", connections());
    json.put("warnings", engine.condition().warnings());
    json.putAll(guards.condition());
    return json;
  }

  /** Returns whether another server can continue with the tickets of this one. */
  public boolean isPortable() {
    return guarantees.contains(Guarantee.PORTABLE_TICKETS);
  }

  /** Returns the address of the store, without secrets. */
  public String store() {
    return engine.traits().store();
  }

  /** Returns the port. */
  public int port() {
    return front.port();
  }

  /** Returns how many connections of remote engines are open: a client has two or three. */
  public int connections() {
    return front.connections();
  }

  /** Returns the address for clients. */
  public String address() {
    String host = options.host();
    return (guards.tls().isPresent() ? "https://" : "http://")
        + (host.indexOf(':') < 0 ? host : "[" + host + "]")
        + ":"
        + port();
  }

  /**
   * Stops serving, waits for what is in progress, and leaves every ticket in the store: clients go
   * on with them at another server, or here after a restart.
   */
  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    verbs.stop();
    sweep.ifPresent(AuditSweep::close);
    front.stop(grace);
    pauses.close();
    verbs.close();
    guards.close();
    engine.detach();
  }
}
