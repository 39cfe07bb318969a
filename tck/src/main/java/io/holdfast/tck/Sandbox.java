package io.holdfast.tck;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.memory.MemoryEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A store and its clients in manual time, in this JVM, for one test.
 *
 * <p>There is no network, and no thread waits for real time. The store follows the same rules as
 * all others.
 *
 * <pre>{@code
 * try (Sandbox sandbox = Sandbox.open()) {
 *   Holdfast worker = sandbox.holdfast();
 *   Hold hold = worker.lock("orders/42").acquire(Duration.ofSeconds(5));
 *   sandbox.pause(worker);                              // like a long garbage collection
 *   sandbox.time().advance(Duration.ofSeconds(35));     // longer than the lease
 *   assertThat(hold.isHeld()).isFalse();
 *   sandbox.resume(worker);                             // now the loss is reported
 * }
 * }</pre>
 */
public final class Sandbox implements AutoCloseable {

  private static final AtomicLong STORES = new AtomicLong();

  /** A client and its faulty engine. */
  private record Member(Holdfast holdfast, FaultyEngine engine, PausableWorld world) {}

  private final ManualTime time = new ManualTime();
  private final String store = "sandbox-" + STORES.incrementAndGet();
  private final HoldfastOptions options;
  private final boolean lanes;
  private final List<Member> members = new ArrayList<>();

  private Sandbox(HoldfastOptions options, boolean lanes) {
    this.options = options;
    this.lanes = lanes;
    connect();
  }

  /** Opens a sandbox with one client and default options. */
  public static Sandbox open() {
    return open(HoldfastOptions.DEFAULTS);
  }

  /** Opens a sandbox whose clients have these options. */
  public static Sandbox open(HoldfastOptions options) {
    return new Sandbox(options, false);
  }

  /**
   * Opens a sandbox whose clients reach the store through lanes with their own threads, as with a
   * real store. Required to let the store {@linkplain FaultyEngine#hang() hang}.
   */
  public static Sandbox withLanes(HoldfastOptions options) {
    return new Sandbox(options, true);
  }

  /** The time of the store and of all clients. */
  public ManualTime time() {
    return time;
  }

  /** The first client. */
  public Holdfast holdfast() {
    return members.get(0).holdfast;
  }

  /** The faulty engine between the first client and the store. */
  public FaultyEngine faults() {
    return members.get(0).engine;
  }

  /** Connects one more client to the same store, like a program on another machine. */
  public Holdfast connect() {
    return connect(given -> given);
  }

  /** Connects one more client with changed options. */
  public Holdfast connect(UnaryOperator<HoldfastOptions> change) {
    MemoryEngine memory = MemoryEngine.shared(store, time::storeTime, time::epochMicros);
    FaultyEngine engine = lanes ? FaultyEngine.withLanes(memory) : FaultyEngine.over(memory);
    PausableWorld world = new PausableWorld(time);
    Holdfast holdfast = Holdfast.open(engine, change.apply(options), world);
    members.add(new Member(holdfast, engine, world));
    return holdfast;
  }

  /** The faulty engine between this client and the store. */
  public FaultyEngine faults(Holdfast client) {
    return member(client).engine;
  }

  /**
   * Pauses a client, like a long garbage collection or a stopped process: its timers do not run and
   * no wake reaches it, so nothing is renewed. Time goes on for the other clients. Methods that the
   * test calls on the client still run.
   */
  public void pause(Holdfast client) {
    Member member = member(client);
    member.engine.dropWakes(true);
    member.world.pause();
  }

  /** Ends a pause. Overdue timers run now, on the calling thread. */
  public void resume(Holdfast client) {
    Member member = member(client);
    member.engine.dropWakes(false);
    member.world.resume();
    time.settle();
  }

  /**
   * Lets the leases of this name run out, for all clients: time advances by one lease, and no verb
   * for the name reaches the store in that time. Other names are renewed as always.
   */
  public void expire(String name) {
    members.forEach(member -> member.engine.cut(name));
    time.advance(longestLease().plusMillis(1));
    members.forEach(member -> member.engine.heal(name));
  }

  private Duration longestLease() {
    return members.stream()
        .map(member -> member.holdfast.options())
        .map(given -> given.lease().plus(given.lockDelay()))
        .max(Duration::compareTo)
        .orElseThrow();
  }

  /** The number of claims that all clients hold now. */
  public int held() {
    return members.stream().mapToInt(member -> member.holdfast.health().held()).sum();
  }

  /** Ends all pauses and lasting faults. */
  void endFaults() {
    for (Member member : members) {
      member.engine.heal();
      member.engine.unhang();
      member.world.resume();
    }
    time.settle();
  }

  /** Closes all clients, which releases their holds. */
  @Override
  public void close() {
    endFaults();
    members.forEach(member -> member.holdfast.close(Duration.ZERO));
  }

  private Member member(Holdfast client) {
    return members.stream()
        .filter(member -> member.holdfast == client)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "not a client of this sandbox, or a view of a client"));
  }
}
