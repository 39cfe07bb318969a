package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The connections of one lane to servers that are asked together. Only one thread runs calls; any
 * other may {@link #close()} it to break off a round.
 */
public final class MembersWire implements AutoCloseable {

  /*
   * A round costs one node timeout at most, however many servers are down or slow: all calls are
   * out before any answer is read, and all answers share one deadline. Connections are made in the
   * background, all at the same time. One that is being made to a server that was there before is
   * waited for within the node timeout; one to a server that was not is not waited for. Only if
   * there would be no majority, as at the start, the connect timeout is spent on it.
   *
   * No answer is taken for another's: a connection that did not answer in time is cut, and its
   * server gets a new one.
   */

  private final Members.Times times;
  private final int majority;
  private final Sockets sockets = new Sockets();
  private final Semaphore arrivals = new Semaphore(0);
  private final List<Seat> seats = new ArrayList<>();

  MembersWire(List<Member> members, Members.Times times, int majority) {
    this.times = times;
    this.majority = majority;
    for (Member member : members) {
      Seat seat = new Seat(member, sockets, arrivals);
      seat.fill();
      seats.add(seat);
    }
  }

  /** How many servers can be asked now; waits a little for those that are being connected. */
  public int gather() {
    Deadline soon = Deadline.in(times.node());
    Deadline latest = Deadline.in(times.connect());
    seats.forEach(Seat::fill);
    while (seats.stream().anyMatch(Seat::isAwaited)) {
      Deadline by = present() >= majority ? soon : latest;
      if (by.isOver() || !arrives(by)) {
        break;
      }
      seats.forEach(Seat::fill);
    }
    seats.forEach(Seat::stopWaiting);
    arrivals.drainPermits();
    return present();
  }

  private int present() {
    int present = 0;
    for (Seat seat : seats) {
      present += seat.voice() == null ? 0 : 1;
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
   * Sends to each server its calls, to all before an answer is read, and answers what each said, in
   * the order of the servers. Never throws for what became of a call.
   *
   * @param calls for each server, in their order
   */
  public List<Heard> run(List<List<Call>> calls) {
    List<List<Errand>> errands = new ArrayList<>(seats.size());
    boolean[] votes = new boolean[seats.size()];
    String[] notes = new String[seats.size()];
    for (int i = 0; i < seats.size(); i++) {
      errands.add(Errand.of(calls.get(i)));
      Voice voice = seats.get(i).voice();
      votes[i] = voice != null && voice.votes();
      notes[i] = voice == null ? "" : voice.note();
    }
    boolean[] asked = new boolean[seats.size()];
    for (int i = 0; i < Rounds.IN_FULL_AS_WELL; i++) {
      round(errands, asked);
    }
    List<Heard> heard = new ArrayList<>(seats.size());
    for (int i = 0; i < seats.size(); i++) {
      Seat seat = seats.get(i);
      heard.add(
          asked[i]
              ? new Heard(seat.member().server(), votes[i], notes[i], replies(seat, errands.get(i)))
              : seat.absent(calls.get(i)));
    }
    return heard;
  }

  private void round(List<List<Errand>> errands, boolean[] asked) {
    List<@Nullable Trip> trips = new ArrayList<>(seats.size());
    for (int i = 0; i < seats.size(); i++) {
      Voice voice = seats.get(i).voice();
      boolean ask = voice != null && Rounds.isOpen(errands.get(i));
      asked[i] |= voice != null;
      if (ask && voice != null) {
        trips.add(Rounds.send(voice.link(), errands.get(i)));
      } else {
        trips.add(null);
      }
    }
    Deadline deadline = Deadline.in(times.node());
    for (int i = 0; i < seats.size(); i++) {
      Trip trip = trips.get(i);
      if (trip != null) {
        trip.link().deadline(deadline);
      }
      if (trip != null && (!Rounds.receive(trip) || trip.link().isTurnedAway())) {
        seats.get(i).drop(trouble(seats.get(i), errands.get(i)));
      }
    }
  }

  private EngineException trouble(Seat seat, List<Errand> errands) {
    for (Reply reply : replies(seat, errands)) {
      if (reply instanceof Reply.Failed failed) {
        return failed.why();
      }
    }
    return new EngineException.NotDone(seat.member().server() + " is not usable now", null);
  }

  /** What had no answer is unknown, in words that say how long it was waited for. */
  private List<Reply> replies(Seat seat, List<Errand> errands) {
    List<Reply> replies = new ArrayList<>(errands.size());
    for (Reply reply : Errand.replies(errands)) {
      boolean silent =
          reply instanceof Reply.Failed failed && failed.why().getCause() instanceof JedisException;
      replies.add(silent ? new Reply.Failed(silence(seat, (Reply.Failed) reply)) : reply);
    }
    return replies;
  }

  private EngineException silence(Seat seat, Reply.Failed failed) {
    return new EngineException.Unknown(
        seat.member().server() + " " + times.silence(failed.why().getCause()),
        failed.why().getCause());
  }

  /** May come from another thread, to break off a round that takes too long. */
  @Override
  public void close() {
    sockets.close();
  }
}
