package io.holdfast.remote.verbs;

import io.holdfast.remote.connection.Servers;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.support.WaiterRegistry;
import java.util.function.LongSupplier;

/** What the lanes of one engine share. */
public final class RemoteContext {

  private final EngineTraits traits;
  private final Servers servers;
  private final WaiterRegistry<Object> waiters;
  private volatile HoldSignal changes = resource -> {};
  private volatile boolean isClosed;

  public RemoteContext(EngineTraits traits, Servers servers, LongSupplier nanoTime) {
    this.traits = traits;
    this.servers = servers;
    this.waiters = new WaiterRegistry<>(nanoTime);
  }

  EngineTraits traits() {
    return traits;
  }

  Servers servers() {
    return servers;
  }

  /** Returns the waiters of this client; a group is what waits through one connection. */
  public WaiterRegistry<Object> waiters() {
    return waiters;
  }

  /** Sets where changes of held resources are reported. */
  public void reportChangesTo(HoldSignal signal) {
    changes = signal;
  }

  void changed(Resource resource) {
    changes.changed(resource);
  }

  boolean isClosed() {
    return isClosed;
  }

  /** From now on lost connections wake nobody. */
  public void close() {
    isClosed = true;
  }
}
