package io.holdfast.ids.internal;

import io.holdfast.Holdfast;
import io.holdfast.World;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.SegmentOptions;
import io.holdfast.ids.TimelineOptions;
import io.holdfast.ids.UuidIds;
import io.holdfast.spi.Counter;
import io.holdfast.spi.Resource;
import java.lang.System.Logger.Level;
import java.util.List;
import javax.sql.DataSource;

/** Creates the generators of {@link io.holdfast.ids.Ids}. */
public final class Generators {

  private static final System.Logger LOG = System.getLogger("io.holdfast.ids");

  private Generators() {}

  /** Returns the generator of random UUIDs. */
  public static UuidIds uuid4() {
    return Uuid4Ids.INSTANCE;
  }

  /** Creates a generator of UUIDs that begin with the time. */
  public static UuidIds uuid7(World world) {
    return new Uuid7Ids(world);
  }

  /** Creates a generator over a database's own sequence. */
  public static LongIds sequence(DataSource source, String name, long start, int step) {
    return new SequenceIds(source, name, start, step);
  }

  /** Creates a generator that takes turns among others. */
  public static LongIds spread(List<LongIds> parts, World world) {
    return new SpreadIds(parts, world);
  }

  /** Creates a generator that asks the store for every id. */
  public static LongIds counter(Holdfast holdfast, String name, SegmentOptions options) {
    return new CounterIds(storeCounter(holdfast, name, options));
  }

  /** Creates a generator that takes ids from the store in blocks. */
  public static LongIds segment(
      Holdfast holdfast, World world, String name, SegmentOptions options) {
    return new SegmentIds(storeCounter(holdfast, name, options), options, world);
  }

  /** Creates a generator of time-ordered ids, and leases its worker number. */
  public static LongIds timeline(
      Holdfast holdfast, World world, String name, TimelineOptions options) {
    Resource.requireNamespace(holdfast.options().namespace());
    Counter counter = counter(holdfast);
    IdSchemeRecord record =
        new IdSchemeRecord(holdfast, counter, name, new IdScheme.Timed(options.layout()));
    return TimelineIds.open(
        name, options, world, new WorkerLeases(holdfast, counter, world, name, options), record);
  }

  private static StoreCounter storeCounter(Holdfast holdfast, String name, SegmentOptions options) {
    Counter counter = counter(holdfast);
    boolean clocked = isClocked(options, counter);
    IdSchemeRecord record =
        new IdSchemeRecord(holdfast, counter, name, new IdScheme.Counted(clocked));
    try {
      record.require();
    } catch (IdsUnavailableException e) {
      // The store is unreachable. It is asked again before the first number is taken.
      LOG.log(Level.DEBUG, e.getMessage(), e);
    }
    Resource resource = new Resource(holdfast.options().namespace(), "ids/" + name);
    return new StoreCounter(
        counter, resource, holdfast.traits().store(), options.floor(), clocked, record::require);
  }

  private static boolean isClocked(SegmentOptions options, Counter counter) {
    return switch (options.clock()) {
      case YES -> true;
      case NO -> false;
      case AS_NEEDED -> counter.forgets();
    };
  }

  private static Counter counter(Holdfast holdfast) {
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
