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
 * A store, its clients and their time, all in this JVM and in the hand of one test. No network, no
 * thread that waits for real time; the store keeps the same rules as all others.
 *
 * <pre>{@code
 * try (Sandbox sandbox = Sandbox.open()) {
 *   Holdfast worker = sandbox.holdfast();
 *   Hold hold = worker.lock("orders/42").acquire(Duration.ofSeconds(5));
 *   sandbox.pause(worker);                              // as a long collection of garbage would
 *   sandbox.time().advance(Duration.ofSeconds(35));     // more than the lease
 *   assertThat(hold.isHeld()).isFalse();
 *   sandbox.resume(worker);                             // now it hears of its loss
 * }
 * }</pre>
 */
public final class Sandbox implements AutoCloseable {

  private static final AtomicLong STORES = new AtomicLong();

  /** A client and what stands between it and the store. */
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

  /** A sandbox with one client and default options. */
  public static Sandbox open() {
    return open(HoldfastOptions.DEFAULTS);
  }

  /** A sandbox whose clients have these options. */
  public static Sandbox open(HoldfastOptions options) {
    return new Sandbox(options, false);
  }

  /**
   * A sandbox whose clients reach the store through lanes with threads of their own, as they do
   * with a real store: needed to let it {@linkplain FaultyEngine#hang() hang}.
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

  /** What stands between the first client and the store. */
  public FaultyEngine faults() {
    return members.get(0).engine;
  }

  /** One more client of the same store: a rival, as a program on another machine would be. */
  public Holdfast connect() {
    return connect(given -> given);
  }

  /** One more client with other options. */
  public Holdfast connect(UnaryOperator<HoldfastOptions> change) {
    MemoryEngine memory = MemoryEngine.shared(store, time::storeTime, time::epochMicros);
    FaultyEngine engine = lanes ? FaultyEngine.withLanes(memory) : FaultyEngine.over(memory);
    PausableWorld world = new PausableWorld(time);
    Holdfast holdfast = Holdfast.open(engine, change.apply(options), world);
    members.add(new Member(holdfast, engine, world));
    return holdfast;
  }

  /** What stands between this client and the store. */
  public FaultyEngine faults(Holdfast client) {
    return member(client).engine;
  }

  /**
   * Pauses a client, as a long collection of garbage or a stopped process does: its timers do not
   * run and no wake reaches it, so that nothing is renewed; time goes on for everybody else. What
   * the test itself calls on it still runs.
   */
  public void pause(Holdfast client) {
    Member member = member(client);
    member.engine.dropWakes(true);
    member.world.pause();
  }

  /** Ends a pause: timers that are overdue run now, on the calling thread. */
  public void resume(Holdfast client) {
    Member member = member(client);
    member.engine.dropWakes(false);
    member.world.resume();
    time.settle();
  }

  /**
   * Lets the leases on this name run out, whoever has them: no renewal of it gets through while
   * time passes by one lease. Everything else is renewed as usual.
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

  /** How many claims all clients hold now. */
  public int held() {
    return members.stream().mapToInt(member -> member.holdfast.health().held()).sum();
  }

  /** Ends all pauses and faults that last. */
  void calm() {
    for (Member member : members) {
      member.engine.heal();
      member.engine.unhang();
      member.world.resume();
    }
    time.settle();
  }

  /** Closes all clients; what they hold is released. */
  @Override
  public void close() {
    calm();
    members.forEach(member -> member.holdfast.close(Duration.ZERO));
  }

  private Member member(Holdfast client) {
    return members.stream()
        .filter(member -> member.holdfast == client)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("not a client of this sandbox, or a view of one"));
  }
}
