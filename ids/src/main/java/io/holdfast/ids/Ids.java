package io.holdfast.ids;

import io.holdfast.Holdfast;
import io.holdfast.World;
import io.holdfast.spi.Counter;
import io.holdfast.spi.Resource;
import java.lang.System.Logger.Level;
import java.util.List;
import javax.sql.DataSource;

/**
 * Where ids come from. {@code docs/ids.md} says which generator is for what, what each promises and
 * what breaks it.
 *
 * <pre>{@code
 * try (var holdfast = Holdfast.connect("redis://localhost");
 *     var orders = Ids.over(holdfast).timeline("orders")) {
 *   long id = orders.next();
 * }
 * }</pre>
 */
public final class Ids {

  private static final System.Logger LOG = System.getLogger("io.holdfast.ids");

  private final Holdfast holdfast;
  private final World world;

  private Ids(Holdfast holdfast, World world) {
    this.holdfast = holdfast;
    this.world = world;
  }

  /** Random UUIDs, version 4: in no order, and nobody can guess one. */
  public static UuidIds uuid4() {
    return Uuid4.INSTANCE;
  }

  /** UUIDs that begin with the time, version 7: those of one generator rise strictly. */
  public static UuidIds uuid7() {
    return uuid7(World.system());
  }

  /** The same with time from outside. */
  public static UuidIds uuid7(World world) {
    return new Uuid7(world);
  }

  /**
   * Numbers of a database's own sequence, or of an auto-increment column where it has none: {@code
   * start}, {@code start + step}, and so on. Several databases with the same step and another start
   * each share the numbers; {@link #spread} takes turns among them. The sequence is created if it
   * is missing; the right to create is needed only then. Each {@code next()} blocks for one trip.
   *
   * @param source not transaction-aware
   * @param name of the sequence, or of the table
   * @param start the first number, 0 or more
   * @param step 1 or more
   */
  public static LongIds sequence(DataSource source, String name, long start, int step) {
    return new SequenceIds(source, name, start, step);
  }

  /**
   * Takes turns among generators whose ids cannot meet, and goes on while one of them has ids. One
   * that had none is passed over for a while, at most 30 s, unless no other has ids. The ids as a
   * whole are in no order. Closing it closes all.
   */
  public static LongIds spread(List<LongIds> parts) {
    return new SpreadIds(parts, World.system());
  }

  /** Ids that are counted by this client's store, in its namespace. It is not closed with them. */
  public static Ids over(Holdfast holdfast) {
    return over(holdfast, World.system());
  }

  /** The same with time and threads from outside. */
  public static Ids over(Holdfast holdfast, World world) {
    return new Ids(holdfast, world);
  }

  /** {@link #counter(String, SegmentOptions)} with the default options. */
  public LongIds counter(String name) {
    return counter(name, SegmentOptions.DEFAULTS);
  }

  /**
   * Asks the store for every id: strictly rising over all machines. Each {@code next()} blocks for
   * one trip. Of the options only floor and clock matter.
   *
   * @throws IllegalStateException when ids of this name are made in another way; it is thrown by
   *     {@code next()} if the store could not be asked before
   * @throws UnsupportedOperationException when the store has no counters
   */
  public LongIds counter(String name, SegmentOptions options) {
    return new CounterIds(numbers(name, options));
  }

  /** {@link #segment(String, SegmentOptions)} with the default options. */
  public LongIds segment(String name) {
    return segment(name, SegmentOptions.DEFAULTS);
  }

  /**
   * Takes ids from the store in blocks, ahead of the demand: rising in one generator, by trend over
   * all machines. {@code next()} blocks only when nothing is left, for the patience at most.
   * Segments and counters of one name share their numbers.
   *
   * @throws IllegalStateException when ids of this name are made in another way; it is thrown by
   *     {@code next()} if the store could not be asked before
   * @throws UnsupportedOperationException when the store has no counters
   */
  public LongIds segment(String name, SegmentOptions options) {
    return new SegmentIds(numbers(name, options), options, world);
  }

  /** {@link #timeline(String, TimelineOptions)} with the default options. */
  public LongIds timeline(String name) {
    return timeline(name, TimelineOptions.DEFAULTS);
  }

  /**
   * Ids that begin with the time and have the number of their worker in them, which is leased in
   * the store: no trip for an id, ordered by time over all machines as well as their clocks agree.
   * Blocks until a worker number is leased: for a few trips to the store, or, when all numbers are
   * taken, for as long as {@link TimelineOptions#workerWait()} says. {@code next()} blocks when a
   * tick's ids are used up, until the next one, and when no time is left, for the patience at most;
   * whoever asks the store for all of them waits for its answer too.
   *
   * @throws IllegalArgumentException when the layout ends in less than five years
   * @throws IllegalStateException when ids of this name are made in another way, such as in another
   *     layout
   * @throws IdsUnavailableException when there is no free worker number, or no store
   * @throws UnsupportedOperationException when the store has no counters
   */
  public LongIds timeline(String name, TimelineOptions options) {
    Resource.requireNamespace(holdfast.options().namespace());
    Counter counter = counter();
    PlanRecord record = new PlanRecord(holdfast, counter, name, new IdPlan.Timed(options.layout()));
    return TimelineIds.open(
        name, options, world, new Seats(holdfast, counter, world, name, options), record);
  }

  private Numbers numbers(String name, SegmentOptions options) {
    Counter counter = counter();
    boolean clocked = options.clock().isNeeded(counter);
    PlanRecord record = new PlanRecord(holdfast, counter, name, new IdPlan.Counted(clocked));
    try {
      record.require();
    } catch (IdsUnavailableException e) {
      // The store is away. Before the first number is taken it is asked again.
      LOG.log(Level.DEBUG, e.getMessage(), e);
    }
    Resource resource = new Resource(holdfast.options().namespace(), "ids/" + name);
    return new Numbers(
        counter, resource, holdfast.traits().store(), options.floor(), clocked, record::require);
  }

  private Counter counter() {
    return holdfast
        .counter()
        .orElseThrow(
            () ->
                new UnsupportedOperationException(
                    holdfast.traits().store()
                        + " has no counters: use another store for these ids, or UUIDs, which need"
                        + " none"));
  }
}
