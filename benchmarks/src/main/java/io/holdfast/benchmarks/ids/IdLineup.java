package io.holdfast.benchmarks.ids;

import com.github.f4b6a3.tsid.TsidFactory;
import com.github.f4b6a3.uuid.UuidCreator;
import io.holdfast.Holdfast;
import io.holdfast.ids.Ids;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.UuidIds;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;

/** Who takes part. All that count do so in this process: no store slows one of them down. */
final class IdLineup implements AutoCloseable {

  private static final long STEP = 1_000;

  private final Holdfast holdfast = Holdfast.connect("memory:");
  private final LongIds segment = Ids.over(holdfast).segment("bench-segment");
  private final LongIds timeline = Ids.over(holdfast).timeline("bench-timeline");
  private final UuidIds seven = Ids.uuid7();
  private final SegmentChainId chain = new SegmentChainId(new IdSegmentDistributor.Atomic(STEP));
  private final MillisecondSnowflakeId snowflake = new MillisecondSnowflakeId(1);
  private final TsidFactory tsid = TsidFactory.newInstance1024(1);
  private final AtomicLong floor = new AtomicLong();

  /** Ids that count. */
  List<IdRaceEntry> counting() {
    return List.of(
        new IdRaceEntry("AtomicLong (the floor)", this::atomicLong),
        new IdRaceEntry("CosId segment chain", this::cosIdChain),
        new IdRaceEntry("holdfast segment", this::segment));
  }

  /** Ids that begin with the time. */
  List<IdRaceEntry> timed() {
    return List.of(
        new IdRaceEntry("CosId snowflake", this::cosIdSnowflake),
        new IdRaceEntry("tsid-creator", this::tsidCreator),
        new IdRaceEntry("holdfast timeline", this::timeline));
  }

  /** UUIDs. */
  List<IdRaceEntry> uuids() {
    return List.of(
        new IdRaceEntry("JDK randomUUID (v4)", this::jdk),
        new IdRaceEntry("uuid-creator v7 fast", this::uuidCreator),
        new IdRaceEntry("holdfast uuid7", this::uuid7));
  }

  private long atomicLong(int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some ^= floor.getAndIncrement();
    }
    return some;
  }

  private long cosIdChain(int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some ^= chain.generate();
    }
    return some;
  }

  private long segment(int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some ^= segment.next();
    }
    return some;
  }

  private long cosIdSnowflake(int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some ^= snowflake.generate();
    }
    return some;
  }

  private long tsidCreator(int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some ^= tsid.create().toLong();
    }
    return some;
  }

  private long timeline(int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some ^= timeline.next();
    }
    return some;
  }

  private long jdk(int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some ^= UUID.randomUUID().getLeastSignificantBits();
    }
    return some;
  }

  private long uuidCreator(int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some ^= UuidCreator.getTimeOrderedEpochFast().getLeastSignificantBits();
    }
    return some;
  }

  private long uuid7(int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some ^= seven.next().getLeastSignificantBits();
    }
    return some;
  }

  @Override
  public void close() {
    segment.close();
    timeline.close();
    holdfast.close();
  }
}
