package io.holdfast.simulation;

import io.holdfast.Hold;
import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One task: thinks, asks, works with guarded writes, gives back; sometimes it gives up or stalls.
 */
final class SimTask {

  private static final long STARVED = 10 * SimEvents.SECOND;
  private static final long TOGETHER = 100 * SimEvents.MILLI;
  private static final long RIVAL_WAITS = 2 * SimEvents.SECOND;

  private final Simulation sim;
  private final SimEvents events;
  private final SimClient client;
  private @Nullable CompletableFuture<Hold> asking;
  private boolean stopped;

  SimTask(Simulation sim, SimClient client) {
    this.sim = sim;
    this.events = sim.events();
    this.client = client;
  }

  void think() {
    long pause = events.between(0, sim.isHot() ? 0 : 900 * SimEvents.MILLI);
    if (pause > 0 && events.chance(0.3)) {
      // Some ask at the same moment, so that their attempts meet in a batch.
      pause += TOGETHER - (events.now() + pause) % TOGETHER;
    }
    events.after(pause, () -> client.world().awake(this::ask));
  }

  /** Ends the task: a pending request is cancelled; a hold ends with its work. */
  void stop() {
    stopped = true;
    CompletableFuture<Hold> pending = asking;
    if (pending != null) {
      client.world().awake(() -> pending.cancel(false));
    }
  }

  private void ask() {
    if (stopped) {
      return;
    }
    boolean calm = sim.faults().isCalm();
    int weight = sim.weight();
    long floor = sim.rules().highest();
    long since = events.now();
    // Some only try.
    boolean tries = !calm && events.chance(0.2);
    long most = tries ? 0 : 6 * SimEvents.SECOND;
    long wait = calm ? STARVED + sim.plan().lease().toNanos() : events.between(0, most);
    client.waits();
    CompletableFuture<Hold> asked = client.lock(weight).acquireAsync(Duration.ofNanos(wait));
    asking = asked;
    if (!calm && events.chance(0.1)) {
      events.after(events.between(0, wait), () -> client.world().awake(() -> asked.cancel(false)));
    }
    var unused =
        asked.whenComplete(
            (hold, failure) -> {
              asking = null;
              client.waitsNoMore();
              long waited = events.now() - since;
              long limit = sim.isHot() ? RIVAL_WAITS * (sim.plan().clients() - 1) : STARVED;
              // A client that stopped before the calm may keep what it had for a lease.
              limit += since < sim.calmSince() ? sim.plan().lease().toNanos() : 0;
              long bound = limit;
              sim.rules()
                  .require(
                      !calm || stopped || waited < bound,
                      () -> "starved for " + waited / 1_000_000 + " ms");
              if (hold != null) {
                got((HoldHandle) hold, weight, floor);
              } else {
                think();
              }
            });
  }

  private void got(HoldHandle hold, int weight, long floor) {
    SimHold mine = new SimHold(client, hold, weight, floor);
    sim.rules().began(mine);
    hold.onLoss(loss -> sim.rules().lost(mine, loss));
    work(mine, sim.faults().isCalm() ? 1 : events.random.nextInt(6));
  }

  private void work(SimHold mine, int steps) {
    if (stopped || steps == 0 || !mine.hold.isHeld()) {
      giveBack(mine);
      return;
    }
    events.after(
        events.between(SimEvents.MILLI / 10, 2 * SimEvents.MILLI), () -> sim.rules().write(mine));
    if (sim.faults().pauses()) {
      client.world().pause(events.between(0, 3 * sim.plan().lease().toNanos() / 2));
    }
    client.world().suspend(sim.faults().suspension());
    long most = sim.isHot() ? 8 * SimEvents.MILLI : 250 * SimEvents.MILLI;
    long span = sim.faults().isCalm() ? Math.min(most, 40 * SimEvents.MILLI) : most;
    events.after(
        events.between(SimEvents.MILLI, span),
        () -> client.world().awake(() -> work(mine, steps - 1)));
  }

  private void giveBack(SimHold mine) {
    mine.hold.holdState().release(outcome -> released(mine));
    if (sim.faults().crashes()) {
      sim.crash(client);
    }
  }

  private void released(SimHold mine) {
    sim.rules().ended(mine);
    events.after(SimEvents.SECOND, () -> client.world().awake(() -> sim.rules().settled(mine)));
    think();
  }
}
