package io.holdfast.redis.signals;

import io.holdfast.redis.connection.ServerTopology;
import io.holdfast.redis.connection.SignalListener;
import io.holdfast.redis.connection.Subscription;
import io.holdfast.redis.layout.Keys;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.spi.support.WaiterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This client's waiters, keyed by the number that a release message carries. Thread-safe.
 *
 * <p>All waiters share one connection to each server; the store keeps the channel of the client and
 * the number of each waiter.
 *
 * <p>Arm, then look: a waiter is registered before its attempt is sent. A subscription begins when
 * an attempt has to wait. Once the server confirms the channel, after a gap too, every waiter on it
 * is woken and looks again, with those whose attempt is still under way.
 */
public final class WaiterSignals implements SignalListener, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(WaiterSignals.class.getName());

  /** Where operators' changes of held records are published, whatever the bucket. */
  static final String CHANGES = Keys.PREFIX + "changes}";

  private final ServerTopology topology;
  private final String clientAddress;
  private final HeldTickets held;
  private final WaiterRegistry<String> waiters;

  /** The channels of waiters that are listened to; changed under the lock. */
  private final Set<String> subscribed = ConcurrentHashMap.newKeySet();

  private final LongAdder losses = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Subscription subscription;
  private @Nullable Subscription changes;
  private boolean closed;
  private volatile @Nullable String refusal;
  private volatile boolean reportsChanges;
  private volatile boolean listensForChanges;

  /**
   * Creates the signals of one client.
   *
   * @param clientAddress random, and not the secret of any ticket: others see it in the store
   * @param held is notified of changed records
   */
  public WaiterSignals(
      ServerTopology topology, String clientAddress, LongSupplier nanoTime, HeldTickets held) {
    this.topology = topology;
    this.clientAddress = clientAddress;
    this.held = held;
    this.waiters = new WaiterRegistry<>(nanoTime, this::unused);
  }

  /** Returns the channel on which tickets of a bucket are signalled. */
  public String channel(int bucket) {
    return topology.isCluster()
        ? Keys.tagText(bucket) + ":wake:" + clientAddress
        : Keys.PREFIX + "wake}:" + clientAddress;
  }

  /**
   * Registers an attempt that is about to be sent, in the place of the ticket's attempt before.
   *
   * @return what the store keeps of this attempt and messages name it by; see {@link WakeMessage}
   */
  public String arm(Ticket ticket, String channel, Wake wake) {
    WaiterRegistry.Armed<String> armed = waiters.arm(channel, ticket, wake);
    return armed.number() + "." + armed.attempt();
  }

  /**
   * Subscribes to the channel of a ticket that has to wait.
   *
   * <p>A channel that is new wakes the ticket once the server has confirmed it. A client whose
   * locks are free never subscribes.
   */
  public void listen(Ticket.Id ticket) {
    WaiterRegistry.Armed<String> waiter = waiters.find(ticket);
    if (waiter != null && !subscribed.contains(waiter.key())) {
      subscribe(waiter.key());
    }
  }

  /** Returns whether a ticket is registered. */
  public boolean contains(Ticket.Id ticket) {
    return waiters.contains(ticket);
  }

  /** Removes a ticket that no longer waits; without effect if it is not registered. */
  public void remove(Ticket.Id ticket) {
    boolean ignored = waiters.remove(ticket);
  }

  /** Returns the number of registered tickets. */
  public int size() {
    return waiters.size();
  }

  /** Returns how often channels were lost. */
  public long losses() {
    return losses.sum();
  }

  private void subscribe(String channel) {
    lock.lock();
    try {
      if (!closed && !subscribed.contains(channel)) {
        subscription().add(channel);
        subscribed.add(channel);
        unsubscribeIfUnused(channel);
      }
    } finally {
      lock.unlock();
    }
  }

  private Subscription subscription() {
    Subscription open = subscription == null ? topology.subscribe(this) : subscription;
    subscription = open;
    return open;
  }

  /** The last waiter of a channel has gone. Takes no lock if none of them had to wait. */
  private void unused(String channel) {
    if (topology.isCluster() && subscribed.contains(channel)) {
      lock.lock();
      try {
        unsubscribeIfUnused(channel);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * The one channel of a client without slots stays; one of many buckets goes with its waiters.
   *
   * <p>Waiters register before they look whether the channel is subscribed, and are removed before
   * {@link #unused} looks. So the channel is taken out of the set before its waiters are looked
   * for: a waiter that is not seen here sees that it has to subscribe. A channel that is put back
   * may have lost its waiters meanwhile.
   */
  private void unsubscribeIfUnused(String channel) {
    while (topology.isCluster() && !waiters.hasWaiters(channel) && subscribed.remove(channel)) {
      Subscription open = subscription;
      if (waiters.hasWaiters(channel)) {
        subscribed.add(channel);
      } else if (open != null) {
        open.remove(channel);
      }
    }
  }

  /** From now on, holders are to be notified of changed records; see {@link #listenForChanges}. */
  public void reportChanges() {
    reportsChanges = true;
  }

  /**
   * Listens for changes of held records, if they are to be reported. Called after each grant;
   * connects in the background, and only once.
   *
   * <p>The channel belongs to no slot, so in a cluster it takes a connection of its own, to any
   * node.
   */
  public void listenForChanges() {
    if (!reportsChanges || listensForChanges) {
      return;
    }
    lock.lock();
    try {
      if (!listensForChanges && !closed) {
        Subscription open = topology.isCluster() ? topology.subscribeToAny(this) : subscription();
        changes = open;
        open.add(CHANGES);
        listensForChanges = true;
      }
    } catch (OutOfMemoryError e) {
      // No thread to listen with. The grant stands, and the next one tries again.
      LOG.log(System.Logger.Level.WARNING, "no thread to listen for changes of held locks", e);
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
    WakeMessage message = WakeMessage.parse(payload);
    if (message == null) {
      // Published by another program: all waiters look again, which does no harm.
      waiters.wake(channel);
      return;
    }
    WaiterRegistry.Armed<String> armed = waiters.find(message.number());
    if (armed == null) {
      return;
    }
    if (message.isGrant() && armed.attempt() == message.attempt()) {
      Standing.Granted granted =
          new Standing.Granted(message.token(), armed.ticket().lease(), message.wanted());
      // Removed before it is notified: if it asks all the same, it is registered again.
      remove(armed.ticket().id());
      held.add(armed.ticket());
      armed.wake().granted(granted);
    } else {
      armed.wake().wake();
    }
  }

  /** Takes the path of a resource; see {@link Keys#path}. */
  private void changed(String path) {
    int colon = path.indexOf(':');
    if (colon < 0) {
      // From a server that is being replaced, or from another program.
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
    refusal = null;
    if (channel.equals(CHANGES)) {
      // Earlier messages are lost.
      held.allChanged();
      return;
    }
    waiters.wake(channel);
  }

  @Override
  public void refused(String why) {
    refusal = why;
  }

  /** Returns a warning while the server refuses subscriptions. */
  public Optional<String> warning() {
    return Optional.ofNullable(refusal)
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
