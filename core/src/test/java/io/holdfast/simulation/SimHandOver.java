package io.holdfast.simulation;

import io.holdfast.runtime.acquire.Claim;
import io.holdfast.runtime.acquire.HandOverPolicy;
import io.holdfast.runtime.lane.Lane;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Left;
import io.holdfast.spi.Verb;

/** The rule of handing over, with the bugs that can be planted in it. */
final class SimHandOver extends HandOverPolicy {

  private final SimBug bug;
  private final Lane lane;

  private SimHandOver(EngineTraits traits, SimBug bug, Lane lane) {
    super(traits);
    this.bug = bug;
    this.lane = lane;
  }

  static HandOverPolicy of(SimPlan plan, EngineTraits traits, Lane lane) {
    return switch (plan.bug()) {
      case TOKEN_NOT_BUMPED_ON_HAND_OVER, HAND_OVER_AFTER_LEAVE, NEVER_YIELDS ->
          new SimHandOver(traits, plan.bug(), lane);
      default -> new HandOverPolicy(traits);
    };
  }

  @Override
  public boolean allows(Claim claim, int timesBefore, long now) {
    boolean allowed = super.allows(claim, timesBefore, now);
    if (allowed && bug == SimBug.HAND_OVER_AFTER_LEAVE) {
      lane.submit(new Verb.Leave(claim.ticket(), /* inDoubt= */ false, new Ignored()));
    }
    return allowed;
  }

  @Override
  public long token(long granted, int times) {
    return bug == SimBug.TOKEN_NOT_BUMPED_ON_HAND_OVER ? granted : super.token(granted, times);
  }

  @Override
  public boolean yields(Claim claim, long hadFor) {
    return bug != SimBug.NEVER_YIELDS && super.yields(claim, hadFor);
  }

  private static final class Ignored implements Verb.Answer<Left> {
    @Override
    public void answered(Left left) {}

    @Override
    public void failed(EngineException failure) {}
  }
}
