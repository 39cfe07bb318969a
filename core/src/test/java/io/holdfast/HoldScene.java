package io.holdfast;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A client on one thread whose waiting moves the time, a rival, and their events. */
final class HoldScene {

  static final Duration LEASE = Duration.ofSeconds(30);

  /** What a holder believes of a lease of 30 s: less 5 % of it and 100 ms. */
  static final Duration BELIEVED = Duration.ofMillis(28_400);

  final TestWorld world;
  final ScriptedEngine engine;
  final Client client;
  final Client rival;
  final List<HoldfastListener.Event> events = new ArrayList<>();

  HoldScene() {
    this(42, options -> options);
  }

  HoldScene(UnaryOperator<HoldfastOptions> change) {
    this(42, change);
  }

  HoldScene(long seed, UnaryOperator<HoldfastOptions> change) {
    this(seed, change, engine -> engine);
  }

  /** A scene at a store whose sessions outlive everything that happens to it. */
  static HoldScene withLastingSessions() {
    return new HoldScene(42, options -> options, engine -> engine.withLastingSession(LEASE));
  }

  private HoldScene(
      long seed, UnaryOperator<HoldfastOptions> change, UnaryOperator<ScriptedEngine> as) {
    world = new TestWorld(seed).drive();
    engine = as.apply(ScriptedEngine.on(world));
    HoldfastOptions options = change.apply(HoldfastOptions.DEFAULTS.withListener(events::add));
    client = Client.open(engine, options, world);
    rival = Client.open(engine.rival(), options.withListener(HoldfastListener.NONE), world);
  }

  ClientView view() {
    return client.view(client.options());
  }

  DistributedLock lock(String name) {
    return view().lock(LockName.plain(name), Shape.mutex(client.options().order()), 1);
  }

  DistributedLock rivalsLock(String name) {
    return rival
        .view(rival.options())
        .lock(LockName.plain(name), Shape.mutex(rival.options().order()), 1);
  }

  HoldHandle take(String name) throws InterruptedException {
    return (HoldHandle) lock(name).tryAcquire().orElseThrow();
  }

  HoldHandle take(Primitive primitive, String name) throws InterruptedException {
    return (HoldHandle) primitive.of(view(), name).tryAcquire().orElseThrow();
  }

  /** From now on no renewal gets a reply. */
  ScriptedEngine.Rule renewalsFail() {
    return engine.always(ScriptedEngine.Kind.RENEW, Faults.down());
  }

  int renewals() {
    return engine.count(ScriptedEngine.Kind.RENEW);
  }

  <E extends HoldfastListener.Event> List<E> events(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  EngineInspector inspector() {
    return engine.inspector().orElseThrow();
  }

  static Resource resource(String name) {
    return new Resource("default", name);
  }
}
