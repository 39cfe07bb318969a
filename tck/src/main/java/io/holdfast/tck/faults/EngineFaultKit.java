package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Plays the same faults on every engine. An engine's test extends this and supplies the store. This
 * is the one of Holdfast's own Redis engine, whose {@code RedisFaultStore} is a {@link FaultStore}:
 *
 * <pre>{@code
 * final class RedisFaultKitIT extends EngineFaultKit {
 *
 *   @Override
 *   protected FaultStore start() {
 *     return RedisFaultStore.of(RedisServer.start());
 *   }
 *
 *   @Override
 *   protected Set<FaultScenario> declined() {
 *     return Set.of(FaultScenario.F14_ONE_SERVER_HANGS);
 *   }
 * }
 * }</pre>
 *
 * <p>{@link FaultScenario} says what each scenario plays. A scenario that an engine cannot have is
 * declined: F03 and F04 without mutexes in the order FIFO; F07, F08 and F10 if the store has no
 * server of its own, F14 if it has no second one; F11 and F15 without an inspector. The kit checks
 * that this is so, and prints it. A scenario prints what it measured and fails only beyond five
 * times its bound, with {@link io.holdfast.tck.TooLateError}; a wrong result fails at once.
 *
 * <p>Scenarios spend their time waiting for leases to end: with {@code
 * junit.jupiter.execution.parallel.enabled=true} they run side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
public abstract class EngineFaultKit {

  /** Scenarios that keep them busy run one after another. */
  private static final String PROCESSORS = "io.holdfast.tck.faults.processors";

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable FaultStore shared;

  /** For the test of an engine. */
  public EngineFaultKit() {}

  /** Starts a store; several may run at a time. The kit closes it. */
  protected abstract FaultStore start() throws Exception;

  /** The scenarios that this engine cannot have. The kit fails if it can have one of them. */
  protected Set<FaultScenario> declined() {
    return Set.of();
  }

  @Test
  @DisplayName("F00 declined scenarios: each needs what this store lacks")
  public void f00() throws Exception {
    Map<FaultScenario, String> impossible = FaultFixture.impossible(shared());
    for (FaultScenario scenario : declined()) {
      assertThat(impossible).as("declined, and possible").containsKey(scenario);
      FaultFixture.print(
          "%s, %s declined: %s".formatted(shared().name(), scenario, impossible.get(scenario)));
    }
  }

  @Test
  @DisplayName("F01 killed holder: the next client is in after one lease")
  public void f01() throws Exception {
    play(FaultScenario.F01_KILLED_HOLDER);
  }

  @Test
  @DisplayName(
      "F02 paused holder (U01, U06): it sees the loss at its first look, and its write is stale")
  public void f02() throws Exception {
    play(FaultScenario.F02_PAUSED_HOLDER);
  }

  @Test
  @DisplayName("F03 dead waiters (U24): they cost one lease in total")
  public void f03() throws Exception {
    play(FaultScenario.F03_DEAD_WAITERS);
  }

  @Test
  @ResourceLock(PROCESSORS)
  @DisplayName("F04 long line (U24): waiters get in as they came")
  public void f04() throws Exception {
    play(FaultScenario.F04_LONG_LINE);
  }

  @Test
  @DisplayName("F05 late attempt (U04): it does not join after its client has left")
  public void f05() throws Exception {
    play(FaultScenario.F05_LATE_ATTEMPT);
  }

  @Test
  @DisplayName("F06 cut off (U01): calls end in time, the loss is reported before a rival is in")
  public void f06() throws Exception {
    play(FaultScenario.F06_CUT_OFF);
  }

  @Test
  @DisplayName("F07 frozen store (U13): long leases survive, short ones are lost in time")
  public void f07() throws Exception {
    play(FaultScenario.F07_FROZEN_STORE);
  }

  @Test
  @DisplayName("F08 killed store: clients recover, and tokens rise")
  public void f08() throws Exception {
    play(FaultScenario.F08_KILLED_STORE);
  }

  @Test
  @DisplayName("F09 every signal lost (U14): waiters still get in")
  public void f09() throws Exception {
    play(FaultScenario.F09_SIGNALS_LOST);
  }

  @Test
  @ResourceLock(PROCESSORS)
  @DisplayName("F10 wrong client clocks (U11): nobody notices")
  public void f10() throws Exception {
    play(FaultScenario.F10_WRONG_CLOCKS);
  }

  @Test
  @ResourceLock(PROCESSORS)
  @DisplayName("F11 nothing left behind (U04, U31): not by use, not by waiting, not by giving up")
  public void f11() throws Exception {
    play(FaultScenario.F11_NOTHING_LEFT_BEHIND);
  }

  @Test
  @DisplayName("F12 many held locks: one client keeps them all")
  public void f12() throws Exception {
    play(FaultScenario.F12_MANY_HOLDS);
  }

  @Test
  @DisplayName("F13 host suspended in the middle of a trip (U01): a late grant is not believed")
  public void f13() throws Exception {
    play(FaultScenario.F13_SUSPENDED_IN_A_TRIP);
  }

  @Test
  @DisplayName("F14 one of several servers hangs: holds at the others survive")
  public void f14() throws Exception {
    play(FaultScenario.F14_ONE_SERVER_HANGS);
  }

  @Test
  @DisplayName("F15 held record deleted by hand (U10): the holder learns of it and stays out")
  public void f15() throws Exception {
    play(FaultScenario.F15_DELETED_RECORD);
  }

  private void play(FaultScenario scenario) throws Exception {
    if (declined().contains(scenario)) {
      return;
    }
    // Manual time has one driver.
    if (!scenario.needsOwnStore() && shared().time().isEmpty()) {
      FaultFixture.play(scenario, shared());
      return;
    }
    try (FaultStore own = start()) {
      FaultFixture.play(scenario, own);
    }
  }

  private FaultStore shared() throws Exception {
    lock.lock();
    try {
      if (shared == null) {
        shared = start();
      }
      return shared;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the store that most scenarios shared. */
  @AfterAll
  public void closeShared() {
    if (shared != null) {
      shared.close();
    }
  }
}
