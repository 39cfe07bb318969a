package io.holdfast.zookeeper;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * What this client knows of one of its tickets. Verbs of a ticket run one after another, so its
 * plain fields have one user at a time; those that signals change are volatile.
 */
final class Spot implements Bell.Listener {

  /** Where a ticket is in its life. */
  enum Phase {
    /** Its request was sent, and not answered. */
    JOINING,
    /** It is in line. */
    WAITING,
    /** It is in. */
    IN
  }

  /** What it listens to: one ahead of it, or any change. */
  private record Watched(@Nullable String path, Runnable ifGone) {}

  /** A bell that rings before the one that wakes it. */
  private record Earlier(Bell bell, Bell.Listener listener) {}

  /** In place of a version. */
  static final int UNKNOWN = -1;

  final Ticket.Id id;
  final Resource resource;
  final Session session;
  final String line;

  /** Signals about its own node. */
  final OwnNodeWatch own;

  volatile Phase phase = Phase.JOINING;

  /** Whether this client takes its node out: that is no news to anybody. */
  volatile boolean leaving;

  /** What all of this client in its line have seen of it. */
  Sight sight = new Sight();

  /** The node's name without its path; empty until it is known. */
  String name = "";

  int place;
  long token;

  /** The last version of its node that is known for sure. */
  volatile int version = UNKNOWN;

  /** What its node says of its entry, of a semaphore's ticket. */
  Entered entered = Entered.NO;

  int weight;

  /** The capacity that its node states. */
  int stated;

  /** The store's time of the join, in milliseconds, and ours. */
  long joinedMillis;

  long joinedNanos;

  /** Whether its shape was found to fit: it is not asked again. */
  boolean accepted;

  /** Whether a join was not answered, of this spot or one before: a late one may still arrive. */
  boolean doubtful;

  /** What it waits behind. */
  int ahead;

  volatile Optional<Standing.Holder> holder = Optional.empty();
  long lookedAt;

  /** Whether it has a record beside its node that says that it weighs less. */
  @Nullable String shrunk;

  /** Whether the line was resized: who is last takes the records along. */
  boolean resized;

  /** Whether it is looked after in turn. */
  boolean kept;

  boolean wanted;
  @Nullable String revoked;

  /** The change of the line that it has seen last. */
  private volatile long change;

  private volatile Wake wake = () -> {};
  private volatile Watched watched = new Watched(null, () -> {});
  private volatile boolean fired = true;
  private volatile @Nullable Bell bell;
  private volatile @Nullable Earlier earlier;

  /**
   * A ticket that is about to join.
   *
   * @param changed takes it when its node was deleted or written to; does not block
   */
  Spot(Ticket ticket, Session session, String line, Consumer<Spot> changed) {
    this.id = ticket.id();
    this.resource = ticket.resource();
    this.session = session;
    this.line = line;
    this.weight = ticket.weight();
    this.own = new OwnNodeWatch(this, () -> changed.accept(this));
  }

  /** The path of its node. */
  String node() {
    return line + "/" + name;
  }

  void onWake(Wake latest) {
    wake = latest;
  }

  /** Learns who is in; answers true. */
  boolean isBehind(Optional<Standing.Holder> who) {
    holder = who;
    return true;
  }

  /** A signal for any change is about to be armed. */
  void listensTo(Bell latest) {
    listensTo(latest, null, this::wake);
  }

  /**
   * A signal is about to be armed.
   *
   * @param path of the one that it watches
   * @param ifGone what is to be done when that one is gone; it sees to it that the ticket is woken
   */
  void listensTo(Bell latest, @Nullable String path, Runnable ifGone) {
    forgetBell();
    bell = latest;
    watched = new Watched(path, ifGone);
    fired = false;
    latest.add(this);
  }

  /** Beside the signal that was armed last, until that is given up. */
  void hears(Bell before, Bell.Listener listener) {
    earlier = new Earlier(before, listener);
    before.add(listener);
  }

  @Override
  public void rung(WatchedEvent event) {
    boolean deleted = event.getType() == EventType.NodeDeleted;
    Watched last = watched;
    fired = true;
    if (deleted && last.path != null && last.path.equals(event.getPath())) {
      last.ifGone.run();
    } else {
      wake();
    }
  }

  /** It is worth to ask again. */
  void wake() {
    wake.wake();
  }

  /** It is in, and need not ask. */
  void letIn(Standing.Granted granted) {
    wake.granted(granted);
  }

  /** Whether the store must be asked: nothing is armed, or it has fired. */
  boolean mustLook() {
    return fired;
  }

  /** The path of the ticket that it watches; empty: it listens to any change of the line. */
  Optional<String> watchedNode() {
    return Optional.ofNullable(watched.path);
  }

  /** It has seen the line as it was after that change. */
  void sawLine(long latest) {
    change = latest;
  }

  /** The change of the line that it has seen last. */
  long change() {
    return change;
  }

  /** The next renewal asks the store. */
  void suspect() {
    fired = true;
  }

  /** Nobody is to be told any more. */
  void forgetBell() {
    Bell old = bell;
    if (old != null) {
      old.remove(this);
    }
    Earlier with = earlier;
    if (with != null) {
      with.bell.remove(with.listener);
    }
    bell = null;
    earlier = null;
  }
}
