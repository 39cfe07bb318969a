package io.holdfast;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A {@link MemoryEngine} that a test can make hang, fail and lose replies.
 *
 * <p>It records the verbs that it receives. As {@link #blocking()} it has the trait blocking, so
 * that the real lanes drive it.
 */
public final class ScriptedEngine implements LockEngine {

  /** The requests to a store; connecting is one of them. */
  public enum Kind {
    CONNECT,
    ATTEMPT,
    RENEW,
    LEAVE,
    SETTLE,
    RESIZE
  }

  /** One verb that arrived. */
  public record Call(Kind kind, String name, long ticket, boolean inDoubt, String thread) {}

  /** What goes wrong with a verb. */
  public interface Fault {

    /** Before the store executes it. */
    default void before() throws EngineException {}

    /** After the store executed it, before the reply. */
    default void after() throws EngineException {}
  }

  /** A fault as long as it is scripted. */
  public static final class Rule {
    private final Predicate<Call> which;
    private final Fault fault;
    private final AtomicInteger left;

    private Rule(Predicate<Call> which, Fault fault, int times) {
      this.which = which;
      this.fault = fault;
      this.left = new AtomicInteger(times);
    }

    private boolean takes(Call call) {
      return which.test(call) && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }

    public void end() {
      left.set(0);
    }
  }

  private static final Duration LASTING = Duration.ofDays(1);

  private final MemoryEngine memory;
  private final EngineTraits traits;
  private final boolean wakes;
  private final boolean lasts;
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private final Map<Kind, AtomicInteger> counts = new ConcurrentHashMap<>();
  private final Queue<List<Verb>> batches = new ConcurrentLinkedQueue<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private volatile boolean over;
  private volatile HoldSignal holdSignal = resource -> {};

  private ScriptedEngine(MemoryEngine memory, EngineTraits traits, boolean wakes) {
    this(memory, traits, wakes, false);
  }

  private ScriptedEngine(MemoryEngine memory, EngineTraits traits, boolean wakes, boolean lasts) {
    this.memory = memory;
    this.traits = traits;
    this.wakes = wakes;
    this.lasts = lasts;
  }

  /** An engine over a store of its own, whose time is the world's; it runs on the caller. */
  public static ScriptedEngine on(World world) {
    MemoryEngine memory = MemoryEngine.create(world::nanoTime, world::epochMicros);
    return new ScriptedEngine(memory, memory.traits(), true);
  }

  /** Another engine on the same store, with a script of its own. */
  ScriptedEngine rival() {
    return new ScriptedEngine(memory, traits, wakes, lasts);
  }

  public ScriptedEngine blocking() {
    return blocking(2, 100);
  }

  public ScriptedEngine blocking(int lanes, int batch) {
    return with(true, lanes, batch, traits.reserve(), traits.guarantees(), Optional.empty());
  }

  /** It reserves nothing for other clients, so a client that yields must stay out by itself. */
  ScriptedEngine withoutReservation() {
    return with(
        traits.blocking(),
        traits.lanes(),
        traits.batch(),
        Duration.ZERO,
        traits.guarantees(),
        Optional.empty());
  }

  /** It does not signal, and says so. */
  ScriptedEngine polling() {
    Set<Guarantee> fewer = EnumSet.copyOf(traits.guarantees());
    fewer.remove(Guarantee.SIGNALS);
    ScriptedEngine changed =
        with(
            traits.blocking(),
            traits.lanes(),
            traits.batch(),
            Duration.ZERO,
            fewer,
            Optional.empty());
    return new ScriptedEngine(memory, changed.traits, false);
  }

  /** It says that it signals, but every signal gets lost. */
  ScriptedEngine losingWakes() {
    return new ScriptedEngine(memory, traits, false);
  }

  /**
   * Its tickets live with a session that the store does not end during a test: as after an outage,
   * when a store restarts the timeout of every session.
   */
  ScriptedEngine withLastingSession(Duration lease) {
    return new ScriptedEngine(memory, withSessionLease(lease).traits, wakes, true);
  }

  ScriptedEngine withSessionLease(Duration lease) {
    return with(
        traits.blocking(),
        traits.lanes(),
        traits.batch(),
        traits.reserve(),
        traits.guarantees(),
        Optional.of(lease));
  }

  private ScriptedEngine with(
      boolean blocking,
      int lanes,
      int batch,
      Duration reserve,
      Set<Guarantee> guarantees,
      Optional<Duration> session) {
    EngineTraits changed =
        new EngineTraits(
            "scripted:",
            traits.kinds(),
            traits.orders(),
            guarantees,
            blocking,
            lanes,
            batch,
            reserve,
            session);
    return new ScriptedEngine(memory, changed, wakes);
  }

  /** The next verb of this kind meets the fault. */
  public <F extends Fault> F next(Kind kind, F fault) {
    script(call -> call.kind() == kind, fault, 1);
    return fault;
  }

  /** Every verb of this kind meets the fault until the rule is ended. */
  public Rule always(Kind kind, Fault fault) {
    return script(call -> call.kind() == kind, fault, Integer.MAX_VALUE);
  }

  /** This many of those calls meet the fault; rules that were scripted first apply first. */
  public Rule script(Predicate<Call> which, Fault fault, int times) {
    Rule rule = new Rule(which, fault, times);
    rules.add(rule);
    return rule;
  }

  public List<Call> calls() {
    return List.copyOf(calls);
  }

  public List<Call> calls(Kind kind) {
    return calls.stream().filter(call -> call.kind() == kind).toList();
  }

  public int count(Kind kind) {
    AtomicInteger count = counts.get(kind);
    return count == null ? 0 : count.get();
  }

  /** Returns the batch of each perform. */
  public List<List<Verb>> batches() {
    return List.copyOf(batches);
  }

  public int connectionsOpened() {
    return opened.get();
  }

  public int connectionsClosed() {
    return closed.get();
  }

  public boolean isClosed() {
    return over;
  }

  /** The names of the lines that are in the store. */
  public List<String> lines() {
    return look(inspector -> inspector.list("default", "", "", 1000)).stream()
        .map(line -> line.resource().name())
        .toList();
  }

  /** Returns the holders and waiters of a name. */
  List<EngineInspector.TicketView> tickets(String name) {
    return look(inspector -> inspector.show(new Resource("default", name)))
        .map(EngineInspector.LineView::tickets)
        .orElse(List.of());
  }

  private interface Look<T> {
    T at(EngineInspector inspector) throws EngineException;
  }

  private <T> T look(Look<T> look) {
    try {
      return look.at(memory.inspector().orElseThrow());
    } catch (EngineException e) {
      throw new AssertionError("a store in memory always replies", e);
    }
  }

  private interface Step<T> {
    T go() throws EngineException;
  }

  private <T> T verb(Kind kind, Ticket ticket, boolean inDoubt, Step<T> step)
      throws EngineException {
    String name = ticket == null ? "" : ticket.resource().name();
    long number = ticket == null ? 0 : ticket.id().number();
    Call call = new Call(kind, name, number, inDoubt, Thread.currentThread().getName());
    calls.add(call);
    counts.computeIfAbsent(kind, k -> new AtomicInteger()).incrementAndGet();
    Rule met = rules.stream().filter(rule -> rule.takes(call)).findFirst().orElse(null);
    if (met == null) {
      return step.go();
    }
    met.fault.before();
    T answer = step.go();
    met.fault.after();
    return answer;
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    Wake passed = wakes && !lasts ? wake : () -> hint(wake);
    return verb(
        Kind.ATTEMPT,
        ticket,
        false,
        () -> {
          Standing standing = memory.attempt(kept(ticket), passed);
          return lasts && standing instanceof Standing.Granted granted
              ? new Standing.Granted(granted.token(), ticket.lease(), granted.wanted())
              : standing;
        });
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    return verb(
        Kind.RENEW,
        ticket,
        false,
        () -> {
          Renewal renewal = memory.renew(kept(ticket));
          return lasts && renewal instanceof Renewal.Renewed renewed
              ? new Renewal.Renewed(ticket.lease(), renewed.wanted())
              : renewal;
        });
  }

  /** A grant by signal would show how long the store really keeps it: the waiter asks instead. */
  private void hint(Wake wake) {
    if (wakes) {
      wake.wake();
    }
  }

  private Ticket kept(Ticket ticket) {
    return lasts ? ticket.withLease(LASTING) : ticket;
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    return verb(Kind.LEAVE, ticket, inDoubt, () -> memory.leave(ticket, inDoubt));
  }

  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    return verb(Kind.SETTLE, ticket, false, () -> memory.settle(ticket, keep));
  }

  @Override
  public boolean resize(Ticket ticket) throws EngineException {
    return verb(Kind.RESIZE, ticket, false, () -> memory.resize(ticket));
  }

  /** Reports come from {@link #holdSignal()} alone: the store under it says nothing by itself. */
  @Override
  public void reportChangesTo(HoldSignal signal) {
    holdSignal = signal;
  }

  HoldSignal holdSignal() {
    return holdSignal;
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  @Override
  public LockEngine lane() throws EngineException {
    return verb(Kind.CONNECT, null, false, () -> new Connection(this, opened, closed, batches));
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return memory.inspector();
  }

  /** The store stays: what is left in it can be looked at. */
  @Override
  public void close() {
    over = true;
  }
}
