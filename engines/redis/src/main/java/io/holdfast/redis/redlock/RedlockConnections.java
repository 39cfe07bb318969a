package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.Deadline;
import io.holdfast.redis.connection.OpenSockets;
import io.holdfast.redis.connection.PendingCall;
import io.holdfast.redis.connection.Replicas;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.redis.connection.Trip;
import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The connections of one lane to all masters.
 *
 * <p>Only one thread runs calls; any other may {@link #close()} it to break off a round.
 */
public final class RedlockConnections implements AutoCloseable {

  /*
   * A round costs one node timeout at most, however many servers are down or slow: all calls are
   * sent before any reply is read, and all replies share one deadline. Connections are opened in
   * the background, all at the same time. A round waits within the node timeout for a connection
   * to a master that was reachable before, and does not wait for others. Only if there would be no
   * majority, as at the start, it waits for the connect timeout.
   *
   * No reply is taken for another's: a connection without a reply in time is cut and replaced.
   */

  private final RedlockMasters.Times times;
  private final int majority;
  private final OpenSockets sockets = new OpenSockets();
  private final Semaphore arrivals = new Semaphore(0);
  private final List<MasterSlot> slots = new ArrayList<>();

  RedlockConnections(List<RedlockMaster> masters, RedlockMasters.Times times, int majority) {
    this.times = times;
    this.majority = majority;
    for (RedlockMaster master : masters) {
      MasterSlot slot = new MasterSlot(master, sockets, arrivals);
      slot.fill();
      slots.add(slot);
    }
  }

  /** Returns how many masters can be asked now; waits a little for connections in progress. */
  public int gather() {
    Deadline soon = Deadline.in(times.node());
    Deadline latest = Deadline.in(times.connect());
    slots.forEach(MasterSlot::fill);
    while (slots.stream().anyMatch(MasterSlot::isAwaited)) {
      Deadline by = present() >= majority ? soon : latest;
      if (by.isOver() || !arrives(by)) {
        break;
      }
      slots.forEach(MasterSlot::fill);
    }
    slots.forEach(MasterSlot::stopWaiting);
    arrivals.drainPermits();
    return present();
  }

  private int present() {
    int present = 0;
    for (MasterSlot slot : slots) {
      present += slot.voter() == null ? 0 : 1;
    }
    return present;
  }

  private boolean arrives(Deadline by) {
    try {
      return arrivals.tryAcquire(by.millisLeft(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Sends each master its calls, to all before a reply is read; returns the replies in the order of
   * the masters. Never throws for what became of a call.
   *
   * @param calls the calls of each master, in their order
   */
  public List<MasterReplies> run(List<List<ScriptCall>> calls) {
    List<List<PendingCall>> pendingCalls = new ArrayList<>(slots.size());
    boolean[] votes = new boolean[slots.size()];
    String[] notes = new String[slots.size()];
    for (int i = 0; i < slots.size(); i++) {
      pendingCalls.add(PendingCall.of(calls.get(i)));
      VotingConnection voter = slots.get(i).voter();
      votes[i] = voter != null && voter.votes();
      notes[i] = voter == null ? "" : voter.note();
    }
    boolean[] asked = new boolean[slots.size()];
    boolean unused =
        PendingCall.run(
            pendingCalls.stream().flatMap(List::stream).toList(),
            open -> {
              trips(pendingCalls, asked);
              return true;
            });
    List<MasterReplies> heard = new ArrayList<>(slots.size());
    for (int i = 0; i < slots.size(); i++) {
      MasterSlot slot = slots.get(i);
      heard.add(
          asked[i]
              ? new MasterReplies(
                  slot.master().server(), votes[i], notes[i], replies(slot, pendingCalls.get(i)))
              : slot.absent(calls.get(i)));
    }
    return heard;
  }

  /** Makes one trip to each master that has open calls; all replies share one deadline. */
  private void trips(List<List<PendingCall>> pendingCalls, boolean[] asked) {
    List<@Nullable Trip> trips = new ArrayList<>(slots.size());
    for (int i = 0; i < slots.size(); i++) {
      VotingConnection voter = slots.get(i).voter();
      asked[i] |= voter != null;
      List<PendingCall> open = pendingCalls.get(i).stream().filter(PendingCall::isOpen).toList();
      trips.add(
          voter == null || open.isEmpty()
              ? null
              : Trip.send(voter.connection(), Replicas.NONE, open));
    }
    Deadline deadline = Deadline.in(times.node());
    for (int i = 0; i < slots.size(); i++) {
      Trip trip = trips.get(i);
      if (trip != null) {
        trip.connection().deadline(deadline);
      }
      if (trip != null && (!trip.receive() || trip.connection().isTurnedAway())) {
        slots.get(i).drop(trouble(slots.get(i), pendingCalls.get(i)));
      }
    }
  }

  private EngineException trouble(MasterSlot slot, List<PendingCall> pendingCalls) {
    for (ScriptReply reply : replies(slot, pendingCalls)) {
      if (reply instanceof ScriptReply.Failed failed) {
        return failed.why();
      }
    }
    return new EngineException.NotDone(slot.master().server() + " is not usable now", null);
  }

  /** Calls without a reply are unknown; the message says how long the lane waited. */
  private List<ScriptReply> replies(MasterSlot slot, List<PendingCall> pendingCalls) {
    List<ScriptReply> replies = new ArrayList<>(pendingCalls.size());
    for (ScriptReply reply : PendingCall.replies(pendingCalls)) {
      boolean silent =
          reply instanceof ScriptReply.Failed failed
              && failed.why().getCause() instanceof JedisException;
      replies.add(
          silent ? new ScriptReply.Failed(silence(slot, (ScriptReply.Failed) reply)) : reply);
    }
    return replies;
  }

  private EngineException silence(MasterSlot slot, ScriptReply.Failed failed) {
    return new EngineException.Unknown(
        slot.master().server() + " " + times.silence(failed.why().getCause()),
        failed.why().getCause());
  }

  /** Another thread may call it, to break off a round that takes too long. */
  @Override
  public void close() {
    sockets.close();
  }
}
