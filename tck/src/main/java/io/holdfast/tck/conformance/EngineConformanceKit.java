package io.holdfast.tck.conformance;

import io.holdfast.tck.ManualTime;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests an engine against the rules. An engine's test extends it and opens the store. This is the
 * one of Holdfast's own engine in memory; with a real server, {@code open()} mostly returns a
 * lambda that opens one more engine on it:
 *
 * <pre>{@code
 * class MemoryEngineConformanceTest extends EngineConformanceKit {
 *
 *   @Override
 *   public EngineUnderTest open() {
 *     ManualTime time = new ManualTime();
 *     MemoryEngine engine = MemoryEngine.create(time::storeTime, time::epochMicros);
 *     return EngineUnderTest.in(time, () -> ForwardingEngine.thatStaysOpen(engine));
 *   }
 * }
 * }</pre>
 *
 * <p>The chapters test the ten rules of {@link io.holdfast.spi.LockEngine}, verb by verb, and then
 * the behaviour of {@link io.holdfast.Holdfast} over the engine. Features that the engine's
 * {@linkplain io.holdfast.spi.EngineTraits traits} do not claim must be refused clearly; the kit
 * tests the refusal instead. Random tests print their seed if they fail; {@code -Dseed=} replays
 * them.
 *
 * <p>In {@linkplain ManualTime manual time} the bounds are exact. With a real server the kit prints
 * what it measured and fails beyond five times the bound. It then spends most of its time waiting
 * for leases to end: {@code junit.jupiter.execution.parallel.enabled=true} reduces a run of ten
 * minutes to less than two, as each test uses its own names. CPU-bound tests run one after the
 * other, for 1 s each, or 3 s with {@code -Dlong}.
 */
@ExtendWith(KitFixtureExtension.class)
@DisplayNameGeneration(ChapterDisplayNames.class)
@TestMethodOrder(MethodOrderer.DisplayName.class)
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
public abstract class EngineConformanceKit
    implements Rule01Idempotent,
        Rule02ArmThenLook,
        Rule03DurationsOnly,
        Rule04DeadWaiters,
        Rule05RenewNeverJoins,
        Rule06OneVerbAtATime,
        Rule07PlacesInOrder,
        Rule08LeftIsFinal,
        Rule09OneShape,
        Rule10Batches,
        RandomVerbsChapter,
        ExclusionChapter,
        FifoOrderChapter,
        TokenChapter,
        LeaveChapter,
        LossChapter,
        FaultyNetworkChapter,
        NamesChapter,
        FairnessChapter,
        SemaphoreChapter,
        ReadWriteLockChapter,
        OnceChapter,
        KeptMutexChapter,
        InspectorChapter,
        PortableTicketsChapter,
        MultiLockChapter,
        CounterChapter,
        TraitsChapter {

  /** Called by the test of an engine. */
  public EngineConformanceKit() {}

  /** Opens the store for one test: a new store, or a shared store. */
  public abstract EngineUnderTest open() throws Exception;
}
