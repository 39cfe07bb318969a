package io.holdfast.tck;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Holds an engine to its word. An engine's own test extends this and says how to open the store:
 *
 * <pre>{@code
 * class RedisEngineConformanceIT extends EngineConformanceKit {
 *
 *   @RegisterExtension static final RedisServer redis = RedisServer.onFreePort();
 *
 *   @Override
 *   public EngineUnderTest open() {
 *     return () -> RedisEngine.connect(redis.uri());
 *   }
 * }
 * }</pre>
 *
 * <p>The chapters are the ten rules of {@link io.holdfast.spi.LockEngine}, called verb by verb, and
 * then what programs see through {@link io.holdfast.Holdfast}. What the engine's {@linkplain
 * io.holdfast.spi.EngineTraits traits} do not claim must be refused clearly, and that is tested in
 * its place. Random tests print their seed when they fail; {@code -Dseed=} replays them.
 *
 * <p>In {@linkplain ManualTime manual time} the bounds are exact. Against a real server the kit
 * prints what it measured and fails beyond five times the bound. There most of the time is spent
 * waiting for leases to end: {@code junit.jupiter.execution.parallel.enabled=true} makes one run of
 * ten minutes one of less than two, as each test has names of its own. What keeps processors busy
 * takes turns, for a second each, or with {@code -Dlong} for three.
 */
@ExtendWith(StageExtension.class)
@DisplayNameGeneration(Sentences.class)
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
        RandomOperations,
        Exclusion,
        InOrder,
        Tokens,
        Leaving,
        Losing,
        BadLines,
        Names,
        Rivals,
        Semaphores,
        ReadersAndWriters,
        OnceInAPeriod,
        Inspecting,
        PortableTickets,
        SeveralLocks,
        Counting,
        Unclaimed {

  /** For the test of an engine. */
  public EngineConformanceKit() {}

  /** Opens the store for one test: fresh, or one that many tests share. */
  public abstract EngineUnderTest open() throws Exception;
}
