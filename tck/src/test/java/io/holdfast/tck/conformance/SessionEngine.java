package io.holdfast.tck.conformance;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.tck.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** An honest engine whose tickets live as long as its session, which keeps itself alive. */
final class SessionEngine extends ForwardingEngine {

  static final Duration LEASE = Duration.ofSeconds(10);

  /** As long as a test may take: a living session ends no ticket. */
  private static final Duration ALIVE = Duration.ofDays(1);

  private final Map<Ticket.Id, Ticket> tickets = new ConcurrentHashMap<>();
  private final ManualTime time;
  private volatile boolean over;

  SessionEngine(LockEngine honest, ManualTime time) {
    super(honest);
    this.time = time;
  }

  /** The session gets no more heartbeats, and ends a lease later. */
  void die() {
    over = true;
    time.schedule(LEASE.toNanos(), this::end);
  }

  private void end() {
    for (Ticket ticket : tickets.values()) {
      try {
        super.leave(ticket, false);
      } catch (EngineException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    requireSession();
    tickets.put(ticket.id(), ticket);
    Standing standing = super.attempt(ticket.withLease(ALIVE), wake);
    if (standing instanceof Standing.Granted granted) {
      return new Standing.Granted(granted.token(), LEASE, granted.wanted());
    } else if (standing instanceof Standing.Waiting waiting) {
      return new Standing.Waiting(
          waiting.ahead(),
          waiting.retryAfter(),
          waiting.holder().map(h -> new Standing.Holder(h.owner(), h.token(), LEASE)));
    }
    return standing;
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    if (over) {
      return new Renewal.Gone(Renewal.Cause.SESSION_OVER, "");
    }
    return super.renew(ticket.withLease(ALIVE)) instanceof Renewal.Renewed renewed
        ? new Renewal.Renewed(LEASE, renewed.wanted())
        : super.renew(ticket);
  }

  /** What is kept outlives the session. */
  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    requireSession();
    boolean settled = super.settle(ticket, keep);
    tickets.remove(ticket.id());
    return settled;
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    requireSession();
    Left left = super.leave(ticket.withLease(LEASE), inDoubt);
    tickets.remove(ticket.id());
    return left;
  }

  private void requireSession() throws EngineException {
    if (over) {
      throw new EngineException.NotDone("the session is over", null);
    }
  }

  @Override
  public EngineTraits traits() {
    EngineTraits t = super.traits();
    return new EngineTraits(
        t.store(),
        t.kinds(),
        t.orders(),
        t.guarantees(),
        t.blocking(),
        t.lanes(),
        t.batch(),
        t.reserve(),
        Optional.of(LEASE));
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return super.inspector().map(InSession::new);
  }

  @Override
  public void close() {
    over = true;
    end();
    super.close();
  }

  /** Shows the session's lease instead of the constant for "alive". */
  private record InSession(EngineInspector honest) implements EngineInspector {

    @Override
    public List<LineView> list(String namespace, String prefix, String after, int limit)
        throws EngineException {
      return honest.list(namespace, prefix, after, limit).stream().map(InSession::seen).toList();
    }

    @Override
    public Optional<LineView> show(Resource resource) throws EngineException {
      return honest.show(resource).map(InSession::seen);
    }

    private static LineView seen(LineView line) {
      List<TicketView> tickets = line.tickets().stream().map(InSession::seen).toList();
      return new LineView(line.resource(), line.shape(), tickets, line.marked(), line.unlisted());
    }

    private static TicketView seen(TicketView t) {
      return new TicketView(t.state(), t.owner(), t.token(), t.weight(), t.age(), LEASE);
    }

    @Override
    public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
      return honest.revoke(resource, token, reason);
    }

    @Override
    public Verdict evict(Resource resource, long token, String reason) throws EngineException {
      return honest.evict(resource, token, reason);
    }
  }
}
