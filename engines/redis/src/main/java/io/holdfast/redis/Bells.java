package io.holdfast.redis;

import io.holdfast.redis.wire.SignalListener;
import io.holdfast.redis.wire.Subscription;
import io.holdfast.redis.wire.Wiring;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who of this client waits, by the number that a release will name. All waiters share one
 * connection a server; the store keeps for each the channel of its client and its number.
 *
 * <p>Arm, then look: a bell hangs before its attempt is sent. When its channel was not being
 * listened to yet, or was not for a while, everybody on it is woken once it is, and looks again.
 */
final class Bells implements SignalListener, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Bells.class.getName());

  /** Where operators' changes of held records are published, whatever the bucket. */
  static final String CHANGES = Layout.PREFIX + "changes}";

  private static final long SWEEP_NANOS = 1_000_000_000L;

  private final Wiring wiring;
  private final String address;
  private final LongSupplier nanoTime;
  private final HeldTickets held;
  private final ConcurrentHashMap<Ticket.Id, Bell> byTicket = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, Bell> byNumber = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Set<Bell>> byChannel = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong armed = new AtomicLong();
  private final LongAdder losses = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong sweptAt;
  private @Nullable Subscription subscription;
  private @Nullable Subscription changes;
  private boolean closed;
  private volatile @Nullable String silence;
  private volatile boolean hearsChanges;

  /**
   * Bells of one client.
   *
   * @param address random, and not the secret of any ticket: others see it in the store
   * @param held who is told of changes
   */
  Bells(Wiring wiring, String address, LongSupplier nanoTime, HeldTickets held) {
    this.held = held;
    this.wiring = wiring;
    this.address = address;
    this.nanoTime = nanoTime;
    this.sweptAt = new AtomicLong(nanoTime.getAsLong());
  }

  /** The channel on which a ticket of this bucket is called. */
  String channel(int bucket) {
    return wiring.isCluster()
        ? Layout.tagText(bucket) + ":wake:" + address
        : Layout.PREFIX + "wake}:" + address;
  }

  /** Hangs a bell for an attempt of a ticket, in the place of the one before. */
  Bell.Hung hang(Ticket ticket, String channel, Wake wake) {
    long now = nanoTime.getAsLong();
    long until = now + ticket.lease().toNanos();
    Bell known = byTicket.get(ticket.id());
    if (known != null) {
      known.hung = new Bell.Hung(known.number, known.hung.attempt() + 1, wake);
      known.until = until;
      known.armedBefore = armed.get();
      return known.hung;
    }
    sweep(now);
    Bell bell = new Bell(numbers.incrementAndGet(), channel, ticket, wake);
    bell.until = until;
    bell.armedBefore = armed.get();
    byTicket.put(ticket.id(), bell);
    byNumber.put(bell.number, bell);
    return bell.hung;
  }

  /**
   * The ticket has to wait: from here on its channel is listened to. If it was not yet, the ticket
   * is woken once it is, and looks again; so a client whose locks are free never subscribes.
   */
  void waits(Ticket.Id ticket) {
    Bell bell = byTicket.get(ticket);
    if (bell != null && !bell.listened) {
      bell.listened = true;
      listen(bell);
      if (byTicket.get(ticket) != bell) {
        // It was let in by a signal just now, and who took it down did not see that it listens.
        unlisten(bell);
      } else if (bell.armedBefore != armed.get()) {
        // A channel was armed since it asked, and it was not among those that were woken then.
        bell.wake();
      }
    }
  }

  /** Whether a ticket has a bell. */
  boolean hangs(Ticket.Id ticket) {
    return byTicket.containsKey(ticket);
  }

  /** Takes the bell of a ticket down, if one hangs. */
  void takeDown(Ticket.Id ticket) {
    Bell bell = byTicket.remove(ticket);
    if (bell != null) {
      byNumber.remove(bell.number);
      if (bell.listened) {
        unlisten(bell);
      }
    }
  }

  /**
   * Takes down what nobody asked about for a lease: the store has forgotten it as well. Who gave up
   * while the store was away is not here to do it.
   */
  private void sweep(long now) {
    long last = sweptAt.get();
    if (now - last < SWEEP_NANOS || !sweptAt.compareAndSet(last, now)) {
      return;
    }
    byTicket.forEach(
        (ticket, bell) -> {
          if (now - bell.until > 0) {
            takeDown(ticket);
          }
        });
  }

  /** How many bells hang. */
  int size() {
    sweep(nanoTime.getAsLong());
    return byTicket.size();
  }

  /** How often channels fell silent by themselves. */
  long losses() {
    return losses.sum();
  }

  /** Adds the bell to its channel; the first of a channel has it listened to. */
  private void listen(Bell bell) {
    AtomicBoolean first = new AtomicBoolean();
    byChannel.compute(
        bell.channel,
        (channel, bells) -> {
          first.set(bells == null);
          Set<Bell> hanging = bells == null ? ConcurrentHashMap.newKeySet() : bells;
          hanging.add(bell);
          return hanging;
        });
    if (first.get()) {
      subscribe(bell.channel);
    }
  }

  private void subscribe(String channel) {
    lock.lock();
    try {
      if (!closed && byChannel.containsKey(channel)) {
        subscribed().add(channel);
      }
    } finally {
      lock.unlock();
    }
  }

  private Subscription subscribed() {
    Subscription open = subscription == null ? wiring.subscribe(this) : subscription;
    subscription = open;
    return open;
  }

  /**
   * Listens for changes of held records from now on; connects in the background, and only once. The
   * channel belongs to no slot, so in a cluster it takes a connection of its own, to any node.
   */
  void hearChanges() {
    if (hearsChanges) {
      return;
    }
    lock.lock();
    try {
      if (!hearsChanges && !closed) {
        Subscription open = wiring.isCluster() ? wiring.subscribeToAny(this) : subscribed();
        changes = open;
        open.add(CHANGES);
        hearsChanges = true;
      }
    } catch (OutOfMemoryError e) {
      // No thread to listen with. The grant stands, and the next one tries again.
      LOG.log(System.Logger.Level.WARNING, "no thread to listen for changes of held locks", e);
    } finally {
      lock.unlock();
    }
  }

  /** The one channel of a client without slots stays; one of many buckets goes with its users. */
  private void unlisten(Bell bell) {
    Set<Bell> left =
        byChannel.computeIfPresent(
            bell.channel,
            (channel, bells) -> {
              bells.remove(bell);
              return bells.isEmpty() ? null : bells;
            });
    if (left != null || !wiring.isCluster()) {
      return;
    }
    lock.lock();
    try {
      if (subscription != null && !byChannel.containsKey(bell.channel)) {
        subscription.remove(bell.channel);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void message(String channel, String payload) {
    if (channel.equals(CHANGES)) {
      changed(payload);
      return;
    }
    BellMessage rung = BellMessage.of(payload);
    if (rung == null) {
      // Somebody else published here: everybody looks again, which does no harm.
      wakeAll(channel);
      return;
    }
    Bell bell = byNumber.get(rung.number());
    if (bell == null) {
      return;
    }
    Bell.Hung hung = bell.hung;
    if (rung.isGrant() && hung.attempt() == rung.attempt()) {
      Standing.Granted granted =
          new Standing.Granted(rung.token(), bell.ticket.lease(), rung.wanted());
      // Before it is told: if it asks all the same, it hangs another.
      takeDown(bell.ticket.id());
      held.add(bell.ticket);
      hung.wake().granted(granted);
    } else {
      hung.wake().wake();
    }
  }

  /** The path of a resource; see {@link Layout#path}. */
  private void changed(String path) {
    int colon = path.indexOf(':');
    if (colon < 0) {
      // Of a server that is being replaced, or of somebody else.
      held.allChanged();
      return;
    }
    try {
      held.changed(new Resource(path.substring(0, colon), path.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      LOG.log(System.Logger.Level.DEBUG, "not a resource of ours", e);
    }
  }

  @Override
  public void armed(String channel) {
    silence = null;
    if (channel.equals(CHANGES)) {
      // What was published before is gone.
      held.someMayHaveChanged();
      return;
    }
    armed.incrementAndGet();
    wakeAll(channel);
  }

  @Override
  public void refused(String why) {
    silence = why;
  }

  /** A warning when the server does not let us listen. */
  Optional<String> silence() {
    return Optional.ofNullable(silence)
        .map(
            why ->
                "waiters are not signalled and poll instead, and holders notice changes at their"
                    + " next renewal: "
                    + why
                    + "; give the user the right to subscribe, or switch signals off");
  }

  @Override
  public void lost(String channel) {
    if (!channel.equals(CHANGES)) {
      losses.increment();
    }
  }

  private void wakeAll(String channel) {
    Set<Bell> all = byChannel.get(channel);
    if (all != null) {
      all.forEach(Bell::wake);
    }
  }

  @Override
  public void close() {
    List<Subscription> open = new ArrayList<>();
    lock.lock();
    try {
      closed = true;
      Stream.of(subscription, changes).filter(Objects::nonNull).distinct().forEach(open::add);
      subscription = null;
      changes = null;
    } finally {
      lock.unlock();
    }
    open.forEach(Subscription::close);
  }
}
