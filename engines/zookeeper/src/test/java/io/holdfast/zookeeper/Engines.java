package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Engines as a client opens them. */
public final class Engines {

  /** A lease that tests can wait for: fifteen ticks of the servers that they start. */
  public static final Duration LEASE = Duration.ofSeconds(3);

  private Engines() {}

  /** The engine of an address, with a short lease. */
  public static LockEngine open(String uri) {
    return new ZooKeeperEngineProvider().open(uri, settings());
  }

  /** The engine of an address, with that lease. */
  public static ZooKeeperEngine open(String uri, Duration lease) {
    return (ZooKeeperEngine) new ZooKeeperEngineProvider().open(uri, settings(lease));
  }

  /**
   * As {@link #open(String)}, for a test that asks it without a runtime, which would ask again by
   * itself.
   */
  public static LockEngine patient(String uri) {
    Settings usual = settings();
    return new ZooKeeperEngineProvider()
        .open(
            uri,
            new Settings(
                usual.lease(),
                Duration.ofSeconds(30),
                usual.lanes(),
                usual.nanoTime(),
                usual.epochMicros()));
  }

  /**
   * Takes a lock and gives it back, however long that takes: the classes of ZooKeeper's client are
   * many, and on a busy machine a first session of three seconds may end while they are loaded.
   */
  public static void warmUp(String uri) throws EngineException {
    Owner owner = new Owner("test", "host", 1, "thread", "");
    Ticket ticket =
        new Ticket(
            new Ticket.Id(5, 6, 1),
            new Resource("default", "warm"),
            Shape.mutex(Order.FIFO),
            1,
            LEASE,
            0,
            true,
            owner);
    try (LockEngine engine = patient(uri + "/warm")) {
      engine.attempt(ticket, () -> {});
      engine.renew(ticket);
      engine.leave(ticket, false);
    }
  }

  /** What a client tells an engine. */
  public static Settings settings() {
    return settings(LEASE);
  }

  /** What a client with this lease tells an engine. */
  public static Settings settings(Duration lease) {
    return new Settings(
        lease,
        Duration.ofSeconds(2),
        0,
        System::nanoTime,
        () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }
}
