package io.holdfast.zookeeper.session;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.zookeeper.layout.RecordedGrant;
import io.holdfast.zookeeper.signals.HeldNodeWatches;
import io.holdfast.zookeeper.signals.OwnNodeWatch;
import io.holdfast.zookeeper.signals.PathWatcher;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * What this client knows of one of its tickets.
 *
 * <p>Verbs of a ticket run one after another, so plain fields have one user at a time. Fields that
 * signals change are volatile.
 */
public final class TicketState implements PathWatcher.Listener, HeldNodeWatches.HeldTicket {

  /** The stages of a ticket. */
  public enum Phase {
    /** Its join was sent and got no reply. */
    JOINING,
    /** It is in line. */
    WAITING,
    /** It is granted. */
    GRANTED
  }

  /**
   * The signal that was armed last.
   *
   * @param path the watched node; null: any change of the line
   * @param onGone called when that node was deleted; it makes sure that the ticket is woken
   */
  private record Signal(@Nullable String path, Runnable onGone) {}

  /** A second watcher, which is dropped together with the main one. */
  private record SecondWatcher(PathWatcher watcher, PathWatcher.Listener listener) {}

  /** Stands for a version that is not known. */
  public static final int UNKNOWN_VERSION = -1;

  private final TicketTable table;
  private final Ticket.Id id;
  private final Resource resource;
  private final Session session;
  private final String line;
  private final OwnNodeWatch ownNode;

  private LineCache lineCache = new LineCache();
  private String name = "";
  private int place;
  private long token;
  private int weight;
  private int statedCapacity;
  private long joinedMillis;
  private long joinedNanos;
  private boolean accepted;
  private boolean joinInDoubt;
  private int ahead;
  private long lookedAt;
  private boolean resized;
  private boolean wanted;
  private boolean scanned;

  /** When the mutex ahead is over that stays without its client; empty if there is none. */
  private OptionalLong keptUntil = OptionalLong.empty();

  /** Whether the ticket was asked to stay without this client, and no reply has come yet. */
  private volatile boolean settling;

  private RecordedGrant recordedGrant = RecordedGrant.NONE;
  private @Nullable String weightRecord;
  private @Nullable String revocation;

  private volatile Phase phase = Phase.JOINING;
  private volatile boolean leaving;
  private volatile int version = UNKNOWN_VERSION;
  private volatile long seenChange;
  private volatile Optional<Standing.Holder> holder = Optional.empty();
  private volatile Wake wake = () -> {};
  private volatile Signal signal = new Signal(null, () -> {});
  private volatile boolean mustLook = true;
  private volatile @Nullable PathWatcher watcher;
  private volatile @Nullable SecondWatcher secondWatcher;

  /** Creates a ticket that is about to join. */
  TicketState(TicketTable table, Ticket ticket, Session session, HeldNodeWatches heldNodes) {
    this.table = table;
    this.id = ticket.id();
    this.resource = ticket.resource();
    this.session = session;
    this.line = session.namespaces().line(ticket);
    this.weight = ticket.weight();
    this.ownNode =
        new OwnNodeWatch(
            session.connection(),
            this::node,
            () -> version,
            () -> heldNodes.nodeChanged(this),
            () -> heldNodes.notArmed(this));
  }

  public Ticket.Id id() {
    return id;
  }

  @Override
  public Resource resource() {
    return resource;
  }

  /** Returns the session that the ticket lives on. */
  public Session session() {
    return session;
  }

  /** Returns the path of its line. */
  public String line() {
    return line;
  }

  /** Returns the name of its node; empty until it is known. */
  public String name() {
    return name;
  }

  /** Returns whether its node is known. */
  public boolean hasNode() {
    return !name.isEmpty();
  }

  /** Returns the path of its node. */
  public String node() {
    return line + "/" + name;
  }

  @Override
  public OwnNodeWatch ownNode() {
    return ownNode;
  }

  @Override
  public boolean isCurrent() {
    return table.isCurrent(this);
  }

  /** Returns what all tickets of this client have seen of the line. */
  public LineCache lineCache() {
    return lineCache;
  }

  void setLineCache(LineCache shared) {
    lineCache = shared;
  }

  public Phase phase() {
    return phase;
  }

  void setPhase(Phase next) {
    phase = next;
  }

  @Override
  public boolean isGranted() {
    return phase == Phase.GRANTED;
  }

  /** Its node was created or found. */
  public void setNode(String nodeName, int atPlace, int withWeight, int capacity) {
    name = nodeName;
    place = atPlace;
    weight = withWeight;
    statedCapacity = capacity;
  }

  /** It waits in line since this time on the store's clock, which is now. */
  public void waitsSince(long storeMillis) {
    joinedMillis = storeMillis;
    joinedNanos = table.now();
    phase = Phase.WAITING;
  }

  /** Returns the time on the store's clock, counted from the join. */
  public long storeMillis() {
    return joinedMillis + Math.max(0, (table.now() - joinedNanos) / 1_000_000);
  }

  public int place() {
    return place;
  }

  public long token() {
    return token;
  }

  /** Sets the token: of the join, or of the grant after a resize. */
  public void setToken(long other) {
    token = other;
  }

  public int weight() {
    return weight;
  }

  /** Returns the path of the record that states a smaller weight, if there is one. */
  public @Nullable String weightRecord() {
    return weightRecord;
  }

  /** A record states the smaller weight now. */
  public void reduceWeight(int smaller, String record) {
    weight = smaller;
    weightRecord = record;
  }

  /** Returns the capacity that its node states. */
  public int statedCapacity() {
    return statedCapacity;
  }

  /** Returns the last version of its node that is known for sure. */
  public int version() {
    return version;
  }

  public void setVersion(int latest) {
    version = latest;
  }

  /** Returns what its node says about its grant, if it is the ticket of a semaphore. */
  public RecordedGrant recordedGrant() {
    return recordedGrant;
  }

  public void setRecordedGrant(RecordedGrant grant) {
    recordedGrant = grant;
  }

  /** Returns whether its shape was found to fit the line; that is not checked again. */
  public boolean isAccepted() {
    return accepted;
  }

  public void accept() {
    accepted = true;
  }

  /** Returns whether a join of this ticket got no reply: it may still arrive. */
  public boolean isJoinInDoubt() {
    return joinInDoubt;
  }

  public void setJoinInDoubt(boolean inDoubt) {
    joinInDoubt = inDoubt;
  }

  /** Returns how many tickets are ahead of it. */
  public int ahead() {
    return ahead;
  }

  public void setAhead(int count) {
    ahead = count;
  }

  /** Returns the holder, for reports. */
  public Optional<Standing.Holder> holder() {
    return holder;
  }

  public void setHolder(Optional<Standing.Holder> other) {
    holder = other;
  }

  /** Returns when the line was last looked at. */
  public long lookedAt() {
    return lookedAt;
  }

  public void setLookedAt(long now) {
    lookedAt = now;
  }

  /** Returns whether the line was resized: the last ticket to leave removes the records. */
  public boolean isResized() {
    return resized;
  }

  public void setResized(boolean other) {
    resized = other;
  }

  /** Returns whether a ticket waits behind it. */
  public boolean isWanted() {
    return wanted;
  }

  public void setWanted(boolean other) {
    wanted = other;
  }

  /** Returns whether {@link HeldLockScan} checks it. */
  public boolean isScanned() {
    return scanned;
  }

  void setScanned() {
    scanned = true;
  }

  /** Returns the reason of an operator that revoked it; null if none did. */
  public @Nullable String revocation() {
    return revocation;
  }

  public void setRevocation(String reason) {
    revocation = reason;
  }

  /** A mutex ahead stays for so long without its client; empty if there is none. */
  public void setKeptAhead(Optional<Duration> left) {
    keptUntil =
        left.map(time -> OptionalLong.of(table.now() + time.toNanos()))
            .orElse(OptionalLong.empty());
  }

  /** Returns whether the mutex ahead that stays without its client is over, if there is one. */
  public boolean isKeptOver() {
    return keptUntil.isPresent() && keptUntil.getAsLong() - table.now() <= 0;
  }

  /** Returns when it should ask again even if nothing wakes it. */
  public Duration retryAfter() {
    Duration usual = table.retryAfter();
    if (keptUntil.isEmpty()) {
      return usual;
    }
    Duration left = Duration.ofNanos(Math.max(0, keptUntil.getAsLong() - table.now()));
    return left.compareTo(usual) < 0 ? left : usual;
  }

  /** Returns whether its node may stay without this client, so that it is not removed blindly. */
  public boolean isSettling() {
    return settling;
  }

  public void setSettling() {
    settling = true;
  }

  @Override
  public boolean isLeaving() {
    return leaving;
  }

  /** This client removes its node: the deletion is not reported. */
  public void setLeaving() {
    leaving = true;
  }

  /** Sets what is called when it is worth asking again. */
  public void onWake(Wake latest) {
    wake = latest;
  }

  /** A signal for any change of the line is about to be armed. */
  public void listenTo(PathWatcher latest) {
    listenTo(latest, null, this::wake);
  }

  /**
   * A signal is about to be armed.
   *
   * @param path the watched node
   * @param onGone called when that node was deleted; makes sure that the ticket is woken
   */
  public void listenTo(PathWatcher latest, @Nullable String path, Runnable onGone) {
    stopListening();
    watcher = latest;
    signal = new Signal(path, onGone);
    mustLook = false;
    latest.add(this);
  }

  /** Listens to a second watcher until the main one is dropped. */
  public void alsoListenTo(PathWatcher other, PathWatcher.Listener listener) {
    secondWatcher = new SecondWatcher(other, listener);
    other.add(listener);
  }

  @Override
  public void onEvent(WatchedEvent event) {
    boolean deleted = event.getType() == EventType.NodeDeleted;
    Signal last = signal;
    mustLook = true;
    if (deleted && last.path != null && last.path.equals(event.getPath())) {
      last.onGone.run();
    } else {
      wake();
    }
  }

  @Override
  public void wake() {
    wake.wake();
  }

  /** Reports a grant, so that the ticket need not ask. */
  public void reportGrant(Standing.Granted granted) {
    wake.granted(granted);
  }

  /** Returns whether the store must be asked: no signal is armed, or it has fired. */
  public boolean mustLook() {
    return mustLook;
  }

  @Override
  public void suspect() {
    mustLook = true;
  }

  /** Returns the path of the node that it watches; empty: it listens to any change of the line. */
  public Optional<String> watchedNode() {
    return Optional.ofNullable(signal.path);
  }

  /** Returns the id of the last change of the line that it has seen. */
  public long seenChange() {
    return seenChange;
  }

  public void setSeenChange(long latest) {
    seenChange = latest;
  }

  /** Leaves the watchers, so that they notify this ticket no more. */
  public void stopListening() {
    PathWatcher old = watcher;
    if (old != null) {
      old.remove(this);
    }
    SecondWatcher second = secondWatcher;
    if (second != null) {
      second.watcher.remove(second.listener);
    }
    watcher = null;
    secondWatcher = null;
  }
}
