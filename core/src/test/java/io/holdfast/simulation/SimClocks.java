package io.holdfast.simulation;

import io.holdfast.runtime.renew.HostClocks;
import io.holdfast.runtime.renew.SendTime;

/** The clocks of a simulated host, with the bugs that can be planted in reading them. */
final class SimClocks extends HostClocks {

  private final SimWorld world;
  private final SimBug bug;

  private SimClocks(SimWorld world, SimBug bug) {
    super(world);
    this.world = world;
    this.bug = bug;
  }

  static HostClocks of(SimPlan plan, SimWorld world) {
    return switch (plan.bug()) {
      case ANCHOR_AT_ANSWER, ANCHOR_AT_SIGNAL -> new SimClocks(world, plan.bug());
      default -> new HostClocks(world);
    };
  }

  @Override
  public SendTime sending() {
    SendTime right = super.sending();
    return new SendTime(right.nanos(), right.apart()) {
      @Override
      public long apart() {
        // Read when the reply or the signal is handled.
        boolean late = bug == SimBug.ANCHOR_AT_ANSWER || world.hearsSignal();
        return late ? SimClocks.this.apart(SimClocks.this.nanos()) : super.apart();
      }
    };
  }
}
