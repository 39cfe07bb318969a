package io.holdfast.tck.faults;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.util.Optional;

/** The faults of the kit. */
public enum FaultScenario {
  /** A holder dies: the next client is in after one lease, with a larger token. */
  F01_KILLED_HOLDER(F01KilledHolder::play),
  /** A holder stands still for longer than its lease: it sees the loss, and its write is stale. */
  F02_PAUSED_HOLDER(F02PausedHolder::play),
  /** Twelve waiters die: together they cost one lease, and live waiters keep their places. */
  F03_DEAD_WAITERS(F03DeadWaiters::play),
  /** Two hundred waiters of four clients get in as they came. */
  F04_LONG_LINE(F04LongLine::play),
  /** An attempt that reaches the store after its client gave up and left does not join. */
  F05_LATE_ATTEMPT(F05LateAttempt::play),
  /** A client is cut off: calls end in time, the loss comes before a rival, and it recovers. */
  F06_CUT_OFF(F06CutOff::play),
  /** The store stands still: long leases survive, short ones are lost in time. */
  F07_FROZEN_STORE(F07FrozenStore::play),
  /** The store dies and comes back: clients recover, and tokens rise. */
  F08_KILLED_STORE(F08KilledStore::play),
  /** No signal arrives: waiters still get in, within a third of the lease. */
  F09_SIGNALS_LOST(F09SignalsLost::play),
  /** Wall clocks of clients are hours apart and jump: nobody notices. */
  F10_WRONG_CLOCKS(F10WrongClocks::play),
  /** Names that were used, waited for and given up leave nothing in the store. */
  F11_NOTHING_LEFT_BEHIND(F11NothingLeftBehind::play),
  /** One client keeps very many locks. */
  F12_MANY_HOLDS(F12ManyHolds::play),
  /** A host is suspended between a request and its reply: the late grant is not believed. */
  F13_SUSPENDED_IN_A_TRIP(F13SuspendedInATrip::play),
  /** One of several servers hangs: holds at the others survive. */
  F14_ONE_SERVER_HANGS(F14OneServerHangs::play),
  /** An operator deletes the record of a held lock: the holder learns of it and stays out. */
  F15_DELETED_RECORD(F15DeletedRecord::play);

  /** What a scenario does. */
  @FunctionalInterface
  interface Play {
    void on(FaultFixture fixture) throws Exception;
  }

  @SuppressWarnings("ImmutableEnumChecker") // A method without state.
  private final Play play;

  FaultScenario(Play play) {
    this.play = play;
  }

  void play(FaultFixture fixture) throws Exception {
    play.on(fixture);
  }

  /** Whether the scenario breaks the store itself or counts all that is in it. */
  boolean needsOwnStore() {
    return switch (this) {
      case F07_FROZEN_STORE, F08_KILLED_STORE, F11_NOTHING_LEFT_BEHIND, F14_ONE_SERVER_HANGS ->
          true;
      default -> false;
    };
  }

  /** What a store lacks that cannot have this fault; empty if it can have it. */
  Optional<String> missingIn(FaultFixture fixture) throws Exception {
    return switch (this) {
      case F03_DEAD_WAITERS, F04_LONG_LINE ->
          unless(
              fixture.traits().serves(Shape.mutex(Order.FIFO)),
              "the engine claims no mutexes in the order FIFO");
      case F07_FROZEN_STORE, F08_KILLED_STORE, F10_WRONG_CLOCKS ->
          unless(!fixture.store().servers().isEmpty(), "the store has no server of its own");
      case F11_NOTHING_LEFT_BEHIND, F15_DELETED_RECORD ->
          unless(fixture.hasInspector(), "the engine has no records that an inspector could show");
      case F14_ONE_SERVER_HANGS ->
          unless(fixture.store().servers().size() > 1, "the store has no second server");
      default -> Optional.empty();
    };
  }

  private static Optional<String> unless(boolean has, String missing) {
    return has ? Optional.empty() : Optional.of(missing);
  }

  /** Such as {@code F01 killed holder}. */
  @Override
  public String toString() {
    String[] words = name().split("_", 2);
    return words[0] + " " + words[1].toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }
}
