package io.holdfast.server;

import io.holdfast.World;
import io.holdfast.server.audit.VerbAudit;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Looks now and then for holds that ended silently, so that the audit has them. */
final class AuditSweep {

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final VerbAudit audit;
  private final LockEngine engine;
  private final Executor executor;
  private final World world;
  private volatile boolean isClosed;

  /**
   * Creates it; {@link #schedule} begins.
   *
   * @param executor runs what waits for the store
   */
  AuditSweep(VerbAudit audit, LockEngine engine, Executor executor, World world) {
    this.audit = audit;
    this.engine = engine;
    this.executor = executor;
    this.world = world;
  }

  void schedule() {
    world.schedule(INTERVAL.toNanos(), this::begin);
  }

  private void begin() {
    if (isClosed) {
      return;
    }
    try {
      executor.execute(this::sweep);
    } catch (RejectedExecutionException e) {
      // There is too much to do now.
      schedule();
    }
  }

  private void sweep() {
    try {
      audit.sweep(this::isGranted);
    } finally {
      schedule();
    }
  }

  /** A store that cannot be looked at says nothing against it: no renewal came here in time. */
  private Optional<Boolean> isGranted(Resource lock, long token) {
    Optional<EngineInspector> inspector = engine.inspector();
    if (isClosed) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          inspector.isPresent()
              && inspector.get().show(lock).stream()
                  .flatMap(line -> line.tickets().stream())
                  .anyMatch(ticket -> isGranted(ticket, token)));
    } catch (EngineException e) {
      return Optional.empty();
    }
  }

  private static boolean isGranted(TicketView ticket, long token) {
    return ticket.state() != TicketView.State.WAITING && ticket.token() == token;
  }

  void close() {
    isClosed = true;
  }
}
