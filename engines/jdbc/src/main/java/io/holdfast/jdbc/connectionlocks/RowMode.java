package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.BackgroundLoop;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The mode row: each lock is a row that an open transaction has locked. */
final class RowMode extends LockMode {

  /*
   * Why no rival gets in: the database gives the lock of a row to one transaction, and ours stays
   * open until the ticket leaves. A missing row is inserted before it is locked, in a transaction
   * of its own; a leave deletes it under its lock, and a client that finds it gone starts over, so
   * two clients never lock two rows of one name. Where it can, the server ends a transaction that
   * is silent for a lease; a holder believes for a lease from before its last confirmed trip, so it
   * stops first.
   *
   * What breaks it: as in the mode session, anything that ends the connection unnoticed while its
   * client lives: a restart of the server, a replica that takes over, an administrator, the
   * network. The row is free at once, and the holder learns of it at its next renewal, a third of a
   * lease later at most. Then tokens protect: they are minted after the row is locked, and on
   * another connection, because other sessions do not see what the open transaction writes.
   */

  private static final int SHOWN = 5;

  private final RowSteps rows;
  private final RowConnections pool;
  private final Map<Ticket.Id, RowHold> byTicket = new ConcurrentHashMap<>();
  private final Map<Resource, RowHold> byResource = new ConcurrentHashMap<>();
  private final RowProbes probes;
  private final BackgroundLoop heartbeat = heartbeat("holdfast-row", this::beat);

  /**
   * Creates a mode without connections yet.
   *
   * @param connections the most locks that can be held at once
   * @param traits with the lease of the client as the session's
   */
  RowMode(JdbcStore store, ModeTables tables, RowSql sql, int connections, EngineTraits traits) {
    super(store, tables, traits);
    String who = UUID.randomUUID().toString().replace("-", "");
    this.rows = new RowSteps(sql, store.dialect(), tables, who);
    this.pool = new RowConnections(store, sql, connections);
    this.probes = new RowProbes(this, lease, store.timeout());
  }

  @Override
  String whyNot() {
    return "the lock of a row is one lock, without a line or permits, and nothing of it outlives"
        + " the connection; the mode table has the others";
  }

  @Override
  LockEngine lane() {
    heartbeat.start();
    return new RowLane(this, new SideConnection(store, tables));
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

  /** Removes it; returns true to one caller only. */
  boolean remove(RowHold hold) {
    byResource.remove(hold.ticket().resource(), hold);
    return byTicket.remove(hold.ticket().id(), hold);
  }

  /** Its connection is gone, and with it the lock. */
  void lose(RowHold hold) {
    if (remove(hold)) {
      lost.add(hold.ticket().id());
      pool.drop(hold.pinned());
      ended.increment();
    }
  }

  /** Returns the failure when all connections are in use; if by holds, only a release helps. */
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
        refusals().about(ticket)
            + " needs a connection of its own, and all "
            + pool.most()
            + " (holdfast.rowConnections) hold other locks: release some of them, or raise"
            + " holdfast.rowConnections and what the database allows; held are "
            + holders
            + (byTicket.size() > SHOWN ? "; and more" : ""));
  }

  /** Keeps silent connections alive. */
  private void beat() {
    for (RowHold hold : byTicket.values()) {
      if (hold.silentFor() >= lease.toNanos() / 3) {
        probes.keepAlive(hold);
      }
    }
  }

  void loseIfBroken(RowHold hold) {
    if (hold.pinned().isBroken()) {
      lose(hold);
    }
  }

  RowSteps rows() {
    return rows;
  }

  RowConnections pool() {
    return pool;
  }

  RowProbes probes() {
    return probes;
  }

  @Override
  EngineCondition condition() {
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
    heartbeat.close();
    probes.close();
    pool.close();
    List.copyOf(byTicket.values()).forEach(this::end);
    store.opener().close();
  }

  private void end(RowHold hold) {
    if (hold.pinned().isCallerSupplied() && remove(hold)) {
      hold.undo();
      pool.giveBack(hold.pinned());
    } else {
      lose(hold);
    }
  }
}
