package io.holdfast.tck.faults;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.conformance.ForwardingEngine;
import java.util.List;

/** Two servers that serve half of the names each, of which the first can hang. */
final class ShardedFaultStore extends MemoryFaultStore {

  private static final long TIMEOUT_NANOS = 200_000_000;
  private static final long LOOK_NANOS = 5_000_000;

  /** The first server. */
  private static final class Server implements FaultServer {
    private volatile boolean frozen;
    private volatile long suspectUntil;

    @Override
    public void freeze() {
      frozen = true;
    }

    @Override
    public void resume() {
      frozen = false;
    }

    @Override
    public boolean isNeededFor(String namespace, String name) {
      return name.hashCode() % 2 == 0;
    }
  }

  private final Server first;

  /** Two servers; with a broken engine, calls to the second wait for the first as well. */
  ShardedFaultStore(boolean broken) {
    this(new ManualTime(), new Server(), broken);
  }

  private ShardedFaultStore(ManualTime time, Server first, boolean broken) {
    super(
        time, BrokenEngines.onEveryLane((engine, settings) -> routed(engine, time, first, broken)));
    this.first = first;
  }

  @Override
  public List<FaultServer> servers() {
    return List.of(first, new Server());
  }

  private static LockEngine routed(
      LockEngine honest, ManualTime time, Server first, boolean broken) {
    return new ForwardingEngine(honest) {
      private void trip(Ticket ticket) throws EngineException {
        String name = ticket.resource().name();
        if (!broken && !first.isNeededFor("", name)) {
          return;
        }
        long end = time.nanoTime() + TIMEOUT_NANOS;
        while (first.frozen) {
          // A server that has just timed out is not waited for again by each verb of a batch.
          if (time.nanoTime() - end > 0 || time.nanoTime() - first.suspectUntil < 0) {
            first.suspectUntil = time.nanoTime() + TIMEOUT_NANOS;
            throw new EngineException.Unknown("no reply for " + name, null);
          }
          time.park(first, LOOK_NANOS);
        }
      }

      @Override
      public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
        trip(ticket);
        return super.attempt(ticket, wake);
      }

      @Override
      public Renewal renew(Ticket ticket) throws EngineException {
        trip(ticket);
        return super.renew(ticket);
      }

      @Override
      public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
        trip(ticket);
        return super.leave(ticket, inDoubt);
      }
    };
  }
}
