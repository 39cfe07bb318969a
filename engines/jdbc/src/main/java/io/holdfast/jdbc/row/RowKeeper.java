package io.holdfast.jdbc.row;

import io.holdfast.jdbc.kept.Beat;
import io.holdfast.jdbc.kept.Departed;
import io.holdfast.jdbc.kept.Door;
import io.holdfast.jdbc.kept.Errand;
import io.holdfast.jdbc.kept.Keeper;
import io.holdfast.jdbc.kept.Layout;
import io.holdfast.jdbc.kept.WaitingHere;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Locks of a client, each on a connection with an open transaction that has a row locked. */
public final class RowKeeper implements Keeper {

  /*
   * Why no rival gets in: the database gives the lock of a row to one transaction, and ours stays
   * open until the ticket leaves. A row that is missing is made before it is locked, in a
   * transaction of its own; it is taken away under its lock by who leaves, and who finds it gone
   * starts over, so that two never lock two rows of one name. The server ends a transaction in
   * which nobody has spoken for a lease, where it can; a holder believes for a lease from before
   * the last trip that was answered, so it stops first.
   *
   * What breaks it: as in the mode session, whatever ends the connection while its client lives and
   * is not told: a restart of the server, a replica that takes over, an administrator, the network.
   * The row is free at once, and the holder hears of it at its next renewal, a third of a lease
   * later at most. Tokens protect then: they are minted after the row is locked, and on another
   * connection, as what the open transaction writes is seen by nobody.
   */

  private static final int REMEMBERED_LEASES = 4;
  private static final int SHOWN = 5;

  private final Runner.Store store;
  private final Layout layout;
  private final Duration lease;
  private final EngineTraits traits;
  private final Door door;
  private final RowSteps rows;
  private final RowPool pool;
  private final Departed left;
  private final Departed lost;
  private final WaitingHere waiting;
  private final Map<Ticket.Id, RowHold> byTicket = new ConcurrentHashMap<>();
  private final Map<Resource, RowHold> byResource = new ConcurrentHashMap<>();
  private final LongAdder ended = new LongAdder();
  private final Probes probes;
  private final Beat beat;
  private volatile boolean closed;

  /**
   * A keeper without connections yet.
   *
   * @param connections the most that may be held at once
   * @param traits with the lease of the client as the session's
   */
  public RowKeeper(
      Runner.Store store, Layout layout, RowSql sql, int connections, EngineTraits traits) {
    this.store = store;
    this.layout = layout;
    this.traits = traits;
    this.lease = traits.sessionLease().orElseThrow();
    this.door = new Door(traits, whyNot());
    String who = UUID.randomUUID().toString().replace("-", "");
    this.rows = new RowSteps(sql, store.dialect(), layout, who);
    this.pool = new RowPool(store, sql, connections);
    this.left = new Departed(store.nanoTime(), lease.toNanos());
    this.lost = new Departed(store.nanoTime(), REMEMBERED_LEASES * lease.toNanos());
    this.waiting = new WaitingHere(store.nanoTime(), lease.toNanos());
    this.probes = new Probes(this, lease, store.timeout());
    this.beat = new Beat("holdfast-row", lease.toNanos(), this::beat);
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  @Override
  public String whyNot() {
    return "the lock of a row is one lock, without a line or permits, and nothing of it outlives"
        + " the connection; the mode table has the others";
  }

  @Override
  public Errand errand() {
    return new RowErrand(this, new SideConnection(store, layout));
  }

  @Nullable RowHold of(Ticket ticket) {
    return byTicket.get(ticket.id());
  }

  @Nullable RowHold on(Resource resource) {
    return byResource.get(resource);
  }

  void add(RowHold hold) {
    byTicket.put(hold.ticket().id(), hold);
    byResource.put(hold.ticket().resource(), hold);
    lost.remove(hold.ticket().id());
  }

  /** Takes it out; answers whether it was there, to one caller only. */
  boolean remove(RowHold hold) {
    byResource.remove(hold.ticket().resource(), hold);
    return byTicket.remove(hold.ticket().id(), hold);
  }

  /** Its connection is gone, and with it the lock. */
  void lose(RowHold hold) {
    if (remove(hold)) {
      lost.add(hold.ticket().id());
      pool.drop(hold.kept());
      ended.increment();
    }
  }

  /** All connections are in use; if by holds, only a release helps. */
  EngineException full(Ticket ticket) {
    if (byTicket.size() < pool.most()) {
      return new EngineException.NotDone(
          "all connections for rows at " + traits.store() + " are busy for a moment", null);
    }
    String holders =
        byTicket.values().stream()
            .limit(SHOWN)
            .map(hold -> hold.ticket().resource() + " of " + hold.ticket().owner())
            .collect(Collectors.joining("; "));
    return new EngineException.Refused(
        door.refusals().about(ticket)
            + " needs a connection of its own, and all "
            + pool.most()
            + " (holdfast.rowConnections) hold other locks: release some of them, or raise"
            + " holdfast.rowConnections and what the database allows; held are "
            + holders
            + (byTicket.size() > SHOWN ? "; and more" : ""));
  }

  /** Lets the server hear of each connection when nobody else does. */
  private void beat() {
    for (RowHold hold : byTicket.values()) {
      if (hold.silentFor() >= lease.toNanos() / 3) {
        probes.keepAlive(hold);
      }
    }
  }

  void loseIfBroken(RowHold hold) {
    if (hold.kept().isBroken()) {
      lose(hold);
    }
  }

  boolean isClosed() {
    return closed;
  }

  Runner.Store store() {
    return store;
  }

  Layout layout() {
    return layout;
  }

  RowSteps rows() {
    return rows;
  }

  RowPool pool() {
    return pool;
  }

  Probes probes() {
    return probes;
  }

  Duration lease() {
    return lease;
  }

  Door door() {
    return door;
  }

  Departed left() {
    return left;
  }

  Departed lost() {
    return lost;
  }

  WaitingHere waiting() {
    return waiting;
  }

  @Override
  public EngineCondition condition() {
    return new EngineCondition(
        List.of(),
        Map.of(
            "rows.held", (long) byTicket.size(),
            "rows.lost", ended.sum(),
            "retries", store.retries().sum()));
  }

  @Override
  public void close() {
    closed = true;
    beat.close();
    probes.close();
    pool.close();
    List.copyOf(byTicket.values()).forEach(this::end);
    store.links().close();
  }

  private void end(RowHold hold) {
    if (hold.kept().isLent() && remove(hold)) {
      hold.undo();
      pool.giveBack(hold.kept());
    } else {
      lose(hold);
    }
  }
}
