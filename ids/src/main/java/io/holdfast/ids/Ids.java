package io.holdfast.ids;

import io.holdfast.Holdfast;
import io.holdfast.World;
import io.holdfast.ids.internal.Generators;
import java.util.List;
import javax.sql.DataSource;

/**
 * Creates generators of unique ids.
 *
 * <p>{@code docs/ids.md} describes what each generator is for, what it guarantees and what breaks
 * the guarantee.
 *
 * <pre>{@code
 * try (var holdfast = Holdfast.connect("redis://localhost");
 *     var orders = Ids.over(holdfast).timeline("orders")) {
 *   long id = orders.next();
 * }
 * }</pre>
 */
public final class Ids {

  private final Holdfast holdfast;
  private final World world;

  private Ids(Holdfast holdfast, World world) {
    this.holdfast = holdfast;
    this.world = world;
  }

  /** Returns a generator of random UUIDs, version 4: in no order, and impossible to guess. */
  public static UuidIds uuid4() {
    return Generators.uuid4();
  }

  /** Returns a generator of UUIDs that begin with the time, version 7; they rise strictly. */
  public static UuidIds uuid7() {
    return uuid7(World.system());
  }

  /** As {@link #uuid7()}, with caller-supplied time. */
  public static UuidIds uuid7(World world) {
    return Generators.uuid7(world);
  }

  /**
   * Returns a generator over a database's own sequence, or over an auto-increment column if the
   * database has no sequences: {@code start}, {@code start + step}, and so on. Several databases
   * with the same step and different starts share the numbers; {@link #spread} takes turns among
   * them. The sequence is created if it is missing; the right to create is needed only then. Each
   * {@code next()} blocks for one round trip.
   *
   * @param source must not be transaction-aware
   * @param name of the sequence, or of the table
   * @param start the first number, 0 or more
   * @param step 1 or more
   */
  public static LongIds sequence(DataSource source, String name, long start, int step) {
    return Generators.sequence(source, name, start, step);
  }

  /**
   * Returns a generator that takes turns among generators with disjoint ids. It works as long as
   * one of them has ids. A generator that had none is skipped for up to 30 s, unless no other has
   * ids. The ids as a whole are in no order. Closing it closes all generators.
   */
  public static LongIds spread(List<LongIds> parts) {
    return Generators.spread(parts, World.system());
  }

  /**
   * Returns generators over this client's store, in its namespace. Closing a generator does not
   * close the client.
   */
  public static Ids over(Holdfast holdfast) {
    return over(holdfast, World.system());
  }

  /** As {@link #over(Holdfast)}, with caller-supplied time and threads. */
  public static Ids over(Holdfast holdfast, World world) {
    return new Ids(holdfast, world);
  }

  /** {@link #counter(String, SegmentOptions)} with the default options. */
  public LongIds counter(String name) {
    return counter(name, SegmentOptions.DEFAULTS);
  }

  /**
   * Returns a generator that asks the store for every id: strictly rising over all machines. Each
   * {@code next()} blocks for one round trip. Only the options floor and clock apply.
   *
   * @throws IllegalStateException if ids of this name are generated in another way; thrown by
   *     {@code next()} if the store was unreachable before
   * @throws UnsupportedOperationException if the store has no counters
   */
  public LongIds counter(String name, SegmentOptions options) {
    return Generators.counter(holdfast, name, options);
  }

  /** {@link #segment(String, SegmentOptions)} with the default options. */
  public LongIds segment(String name) {
    return segment(name, SegmentOptions.DEFAULTS);
  }

  /**
   * Returns a generator that takes ids from the store in blocks, ahead of demand: rising in one
   * generator, roughly rising over all machines. {@code next()} blocks only if no ids are left, at
   * most for {@link SegmentOptions#patience()}. Segments and counters of one name share their
   * numbers.
   *
   * @throws IllegalStateException if ids of this name are generated in another way; thrown by
   *     {@code next()} if the store was unreachable before
   * @throws UnsupportedOperationException if the store has no counters
   */
  public LongIds segment(String name, SegmentOptions options) {
    return Generators.segment(holdfast, world, name, options);
  }

  /** {@link #timeline(String, TimelineOptions)} with the default options. */
  public LongIds timeline(String name) {
    return timeline(name, TimelineOptions.DEFAULTS);
  }

  /**
   * Returns a generator of ids that begin with the time and contain a worker number, which is
   * leased in the store. An id needs no round trip; ids of all machines are ordered by time as well
   * as their clocks agree.
   *
   * <p>This method blocks until a worker number is leased: for a few round trips, or, if all
   * numbers are taken, for up to {@link TimelineOptions#workerWait()}. {@code next()} blocks until
   * the next tick if the ids of a tick are used up, and for up to {@link
   * TimelineOptions#patience()} if no reserved time is left; the thread that then asks the store
   * also waits for its reply.
   *
   * @throws IllegalArgumentException if the layout ends in less than five years
   * @throws IllegalStateException if ids of this name are generated in another way, such as in
   *     another layout
   * @throws IdsUnavailableException if no worker number is free, or the store is unreachable
   * @throws UnsupportedOperationException if the store has no counters
   */
  public LongIds timeline(String name, TimelineOptions options) {
    return Generators.timeline(holdfast, world, name, options);
  }
}
