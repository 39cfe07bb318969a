package io.holdfast.tck.conformance;

import io.holdfast.spi.LockEngine;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** A fault that the kit must find, and the chapter that must find it. */
enum PlantedBug {
  RENEWAL_RESURRECTS(Rule05RenewNeverJoins.class, PlantedVerbs::renewalResurrects),
  RENEWAL_SHORTENS(Rule05RenewNeverJoins.class, PlantedVerbs::renewalShortens),
  LATE_ATTEMPT_JOINS(Rule08LeftIsFinal.class, PlantedVerbs::lateAttemptJoins),
  LATE_ATTEMPT_JOINS_A_PROGRAM(FaultyNetworkChapter.class, PlantedVerbs::lateAttemptJoins),
  SHAPE_IS_NOT_CHECKED(Rule09OneShape.class, PlantedVerbs::shapeNotChecked),
  NAMES_ARE_FOLDED(NamesChapter.class, PlantedVerbs::namesAreFolded),
  REPETITION_MINTS_ANEW(Rule01Idempotent.class, PlantedVerbs::repetitionMintsAnew),
  TOKENS_GO_BACK(TokenChapter.class, PlantedVerbs::tokensGoBack),
  DEAD_WAITERS_STAY(Rule04DeadWaiters.class, PlantedVerbs::deadWaitersStay),
  DEAD_WAITERS_STAY_FOR_PROGRAMS(FifoOrderChapter.class, PlantedVerbs::deadWaitersStay),
  PROMISES_MORE_THAN_IT_KEEPS(Rule03DurationsOnly.class, PlantedVerbs::promisesMoreThanItKeeps),
  LEASE_NEVER_ENDS(Rule03DurationsOnly.class, PlantedVerbs::leaseNeverEnds),
  WAITERS_CANNOT_LEAVE(LeaveChapter.class, PlantedVerbs::waitersCannotLeave),
  ORDER_IS_NOT_KEPT(Rule07PlacesInOrder.class, PlantedVerbs::orderIsNotKept),
  GENERATION_IS_IGNORED(TokenChapter.class, PlantedVerbs::generationIsIgnored),
  BATCH_FORGETS_ITS_LAST(Rule10Batches.class, PlantedVerbs::batchForgetsItsLast),
  BATCH_MIXES_UP_ANSWERS(RandomVerbsChapter.class, PlantedVerbs::batchMixesUpAnswers),
  ONE_BAD_ITEM_FAILS_ALL(Rule10Batches.class, PlantedVerbs::oneBadItemFailsAll),
  RESURRECTION_AT_RANDOM(RandomVerbsChapter.class, PlantedVerbs::renewalResurrects),
  ANYONE_CAN_RELEASE(Rule01Idempotent.class, PlantedLines::anyoneCanRelease),
  LAST_COME_FIRST_SERVED(FifoOrderChapter.class, PlantedLines::lastComeFirstServed),
  LOOKS_THEN_ARMS(Rule02ArmThenLook.class, PlantedLines::looksThenArms),
  WAKES_UNDER_ITS_LOCK(Rule02ArmThenLook.class, PlantedLines::wakesUnderItsLock),
  COUNTS_BY_READING_AND_WRITING(CounterChapter.class, PlantedCounters::readsThenWrites),
  GIVES_BACK_WHAT_OTHERS_HAVE(CounterChapter.class, PlantedCounters::givesBackBlindly),
  EVICT_IGNORES_THE_TOKEN(InspectorChapter.class, PlantedLines::evictIgnoresTheToken),
  KEEPING_A_MUTEX_FREES_IT(KeptMutexChapter.class, PlantedVerbs::keepingFrees),
  A_KEPT_MUTEX_ENDS_WITH_ITS_LEASE(KeptMutexChapter.class, PlantedVerbs::keptEndsWithItsLease),
  SECRETS_ARE_SHOWN(InspectorChapter.class, PlantedLines::secretsAreShown),
  SERVES_WHAT_IT_DOES_NOT_CLAIM(
      TraitsChapter.class, engine -> PlantedLines.plainMutexesAlone(engine, false));

  private final Class<?> chapter;

  @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
  private final BiFunction<LockEngine, PlantedLines.Memory, LockEngine> planted;

  PlantedBug(Class<?> chapter, UnaryOperator<LockEngine> planted) {
    this(chapter, (engine, memory) -> planted.apply(engine));
  }

  PlantedBug(Class<?> chapter, BiFunction<LockEngine, PlantedLines.Memory, LockEngine> planted) {
    this.chapter = chapter;
    this.planted = planted;
  }

  Class<?> chapter() {
    return chapter;
  }

  LockEngine in(LockEngine honest, PlantedLines.Memory memory) {
    return planted.apply(honest, memory);
  }
}
