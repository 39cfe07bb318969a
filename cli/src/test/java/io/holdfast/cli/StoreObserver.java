package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Optional;

/** Sees who holds and who waits in a store, as an operator would. */
public final class StoreObserver implements AutoCloseable {

  private final EngineWithServer.Store store;
  private final Holdfast holdfast;

  /** Looks on at that store. */
  public StoreObserver(EngineWithServer.Store store) {
    this.store = store;
    this.holdfast = Holdfast.connect(store.uri());
  }

  /** How many hold that name. */
  public long holders(String name) {
    return store.engine() == EngineWithServer.REDLOCK
        ? keys("{hf:*}:r:default:" + name)
        : count(name, /* waiting= */ false);
  }

  /** How many wait for that name; those without an order are not always seen. */
  public long waiters(String name) {
    return store.engine() == EngineWithServer.REDLOCK
        ? keys("{hf:*}:p:default:" + name)
        : count(name, /* waiting= */ true);
  }

  /** Whether somebody waits for that name, also where the store does not say who. */
  public boolean isWaitedFor(String name) {
    return waiters(name) > 0
        || (store.engine() != EngineWithServer.REDLOCK
            && line(name).filter(LineView::unlisted).isPresent());
  }

  /** The rest of the lease of that name's holder in the store. */
  public Duration leaseLeft(String name) {
    return line(name).orElseThrow().tickets().get(0).leaseLeft();
  }

  /** Whether a run of that name is done in this period. */
  public boolean isMarked(String name) {
    return line(name).flatMap(LineView::marked).isPresent();
  }

  private long count(String name, boolean waiting) {
    return line(name).stream()
        .flatMap(line -> line.tickets().stream())
        .filter(ticket -> (ticket.state() == TicketView.State.WAITING) == waiting)
        .count();
  }

  /** Repeats a request without a reply: the first one can take long on a busy machine. */
  private Optional<LineView> line(String name) {
    return Await.value(
        "a reply of " + store.engine(),
        CliProcess.LONG,
        () -> Optional.of(holdfast.inspector().orElseThrow().show(new Resource("default", name))));
  }

  /** Majorities have no inspector. */
  private long keys(String pattern) {
    RedisMasters masters = (RedisMasters) store.closer();
    return masters.server(0).call("KEYS", pattern).isBlank() ? 0 : 1;
  }

  @Override
  public void close() {
    holdfast.close();
  }
}
