package io.holdfast.zookeeper;

import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.util.Optional;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * What this client knows of one of its tickets. Verbs of a ticket run one after another, so its
 * plain fields have one user at a time; those that signals change are volatile.
 */
final class Spot {

  /** Where a ticket is in its life. */
  enum Phase {
    /** Its request was sent, and not answered. */
    JOINING,
    /** It is in line. */
    WAITING,
    /** It is in. */
    IN
  }

  final Ticket.Id id;
  final Session session;
  final String line;

  Phase phase = Phase.JOINING;

  /** The node's name without its path; empty until it is known. */
  String name = "";

  int place;
  long token;
  int weight;

  /** The capacity that its node states. */
  int stated;

  /** The store's time of the join, in milliseconds, and ours. */
  long joinedMillis;

  long joinedNanos;

  /** Whether its shape was found to fit: it is not asked again. */
  boolean accepted;

  /** Whether a join was not answered: a late one may still arrive. */
  boolean doubtful;

  /** What it waits behind. */
  int ahead;

  Optional<Standing.Holder> holder = Optional.empty();
  long lookedAt;

  /** Whether it has a record beside its node that says that it weighs less. */
  @Nullable String shrunk;

  /** Whether the line was resized: who is last takes the records along. */
  boolean resized;

  /** Whether it is looked after in turn. */
  boolean kept;

  boolean wanted;
  @Nullable String revoked;

  private volatile Wake wake = () -> {};
  private volatile @Nullable String watched;
  private volatile boolean alone;
  private volatile boolean fired = true;
  private volatile boolean cleared;
  private volatile @Nullable Bell bell;

  Spot(Ticket ticket, Session session, String line) {
    this.id = ticket.id();
    this.session = session;
    this.line = line;
    this.weight = ticket.weight();
  }

  /** The path of its node. */
  String node() {
    return line + "/" + name;
  }

  void onWake(Wake latest) {
    wake = latest;
  }

  /** A signal is about to be armed. */
  void listensTo(Bell latest, @Nullable String path, boolean nobodyElseAhead) {
    forgetBell();
    bell = latest;
    watched = path;
    alone = nobodyElseAhead;
    cleared = false;
    fired = false;
    latest.add(this);
  }

  /** Something happened to what it watches, or to the session. */
  void rung(WatchedEvent event) {
    boolean deleted = event.getType() == EventType.NodeDeleted;
    if (deleted && alone && event.getPath() != null && event.getPath().equals(watched)) {
      cleared = true;
    }
    fired = true;
    wake.wake();
  }

  /** Whether the store must be asked: nothing is armed, or it has fired. */
  boolean mustLook() {
    return fired;
  }

  /** The next renewal asks the store. */
  void suspect() {
    fired = true;
  }

  /** Whether the one that was alone ahead of it is surely gone: nobody can have come between. */
  boolean isCleared() {
    return cleared;
  }

  /** Nobody is to be told any more. */
  void forgetBell() {
    Bell old = bell;
    if (old != null) {
      old.remove(this);
    }
    bell = null;
  }
}
