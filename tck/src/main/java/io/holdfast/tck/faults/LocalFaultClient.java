package io.holdfast.tck.faults;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.World;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.tck.FaultyEngine;
import io.holdfast.tck.PausableWorld;
import io.holdfast.tck.VerbKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A client in the JVM of the test.
 *
 * <p>It is frozen and suspended by its timers and clocks, and its wall clock can be wrong. It is
 * cut off and killed by the {@link FaultLink} of the harness, or, without one, by a {@link
 * FaultyEngine} that stops its verbs: enough for engines that keep nothing alive in the background.
 */
public final class LocalFaultClient implements FaultClient {

  /** Opens the engine of a client. */
  @FunctionalInterface
  public interface Connector {

    /** Connects with these settings, which have the client's clocks. */
    LockEngine connect(Settings settings) throws Exception;
  }

  private static final Duration GRACE = Duration.ofSeconds(2);

  private final World clock;
  private final PausableWorld world;
  private final FaultyEngine engine;
  private final FaultLink link;
  private final Holdfast holdfast;
  private boolean killed;

  private LocalFaultClient(
      ClientSpec spec, World clock, Connector connector, @Nullable FaultLink link)
      throws Exception {
    this.clock = clock;
    this.world = new PausableWorld(clock);
    LockEngine real = connector.connect(settings(spec));
    if (link == null) {
      ReplyGate.Gate replies = new ReplyGate.Gate();
      this.engine = FaultyEngine.withLanes(ReplyGate.over(real, replies));
      this.link = new VerbLink(engine, replies);
    } else {
      this.engine = FaultyEngine.over(real);
      this.link = link;
    }
    this.holdfast = Holdfast.open(engine, spec.options(), world);
  }

  /** Opens a client whose link is broken verb by verb. */
  public static LocalFaultClient open(ClientSpec spec, Connector connector) throws Exception {
    return open(spec, World.system(), connector);
  }

  /** Opens a client in this time whose link is broken verb by verb. */
  public static LocalFaultClient open(ClientSpec spec, World clock, Connector connector)
      throws Exception {
    return new LocalFaultClient(spec, clock, connector, null);
  }

  /** Opens a client behind a link of the harness, which is closed with it. */
  public static LocalFaultClient open(ClientSpec spec, Connector connector, FaultLink link)
      throws Exception {
    return open(spec, World.system(), connector, link);
  }

  static LocalFaultClient open(ClientSpec spec, World clock, Connector connector, FaultLink link)
      throws Exception {
    return new LocalFaultClient(spec, clock, connector, link);
  }

  private Settings settings(ClientSpec spec) {
    return new Settings(
        spec.lease(),
        HoldfastOptions.DEFAULTS.operationTimeout(),
        0,
        world::nanoTime,
        world::epochMicros);
  }

  /** The client itself. */
  public Holdfast holdfast() {
    return holdfast;
  }

  /** What stands between the client and its store. */
  FaultyEngine engine() {
    return engine;
  }

  /** How many attempts for this name the store has answered with "waiting". */
  long waiting(String name) {
    return engine.reached(VerbKind.ATTEMPT, name).stream()
        .filter(seen -> seen.answer().startsWith("Waiting"))
        .map(seen -> seen.ticket().id())
        .distinct()
        .count();
  }

  @Override
  public FaultClaim acquire(String name, Order order, Duration wait) {
    return new LocalClaim(
        holdfast.with(options -> options.withOrder(order)).lock(name).acquireAsync(wait));
  }

  @Override
  public void kill() {
    killed = true;
    world.pause();
    link.cut(Cut.SILENT);
  }

  @Override
  public void freeze() {
    world.pause();
  }

  @Override
  public void suspend() {
    world.suspend();
  }

  @Override
  public void resume() {
    world.resume();
  }

  @Override
  public void cut(Cut how) {
    link.cut(how);
  }

  @Override
  public void heal() {
    link.heal();
  }

  @Override
  public void stepClock(Duration by) {
    world.stepClock(by);
  }

  @Override
  public void close() {
    world.resume();
    if (!killed) {
      link.heal();
    }
    holdfast.close(killed ? Duration.ZERO : GRACE);
    link.close();
  }

  /** A link that is broken verb by verb. */
  private record VerbLink(FaultyEngine engine, ReplyGate.Gate replies) implements FaultLink {

    @Override
    public void cut(Cut how) {
      switch (how) {
        case CLOSED -> engine.cut();
        case SILENT, DELAYED -> engine.hang();
        case REPLIES_DELAYED -> replies.shut(true);
      }
    }

    @Override
    public void heal() {
      replies.shut(false);
      engine.heal();
      engine.unhang();
    }
  }

  /** An acquire in this JVM. */
  private final class LocalClaim implements FaultClaim {
    private final CompletableFuture<Grant> granted;
    private final List<Long> losses = new CopyOnWriteArrayList<>();
    private volatile @Nullable Hold hold;

    LocalClaim(CompletableFuture<Hold> acquiring) {
      this.granted = acquiring.thenApply(this::received);
    }

    private Grant received(Hold received) {
      long now = clock.nanoTime();
      hold = received;
      received.onLoss(loss -> losses.add(clock.nanoTime()));
      return new Grant(received.token(), received.id(), now);
    }

    @Override
    public CompletableFuture<Grant> granted() {
      return granted;
    }

    @Override
    public boolean isHeld() {
      Hold mine = hold;
      return mine != null && mine.isHeld();
    }

    @Override
    public Duration remaining() {
      Hold mine = hold;
      return mine == null ? Duration.ZERO : mine.remaining();
    }

    @Override
    public Outcome release() {
      Hold mine = hold;
      if (mine == null) {
        throw new IllegalStateException("not granted");
      }
      return mine.release();
    }

    @Override
    public boolean hasExpired() {
      Hold mine = hold;
      return mine != null
          && mine.loss().filter(loss -> loss.cause() == Loss.Cause.EXPIRED).isPresent();
    }

    @Override
    public List<Long> losses() {
      return List.copyOf(losses);
    }
  }
}
