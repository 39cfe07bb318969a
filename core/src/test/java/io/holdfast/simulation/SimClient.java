package io.holdfast.simulation;

import io.holdfast.DistributedLock;
import io.holdfast.HoldfastOptions;
import io.holdfast.runtime.acquire.HandOverPolicy;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.renew.LeaseTerms;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One client process: the real runtime over a simulated lane, with some tasks that use it. */
final class SimClient {

  private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(2);

  private final Simulation sim;
  private final SimWorld world;
  private final Client client;
  private final ClientView view;
  private final List<SimTask> tasks = new ArrayList<>();
  private int callers;

  SimClient(Simulation sim) {
    this.sim = sim;
    this.world = new SimWorld(sim.events(), sim.plan());
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS
            .withLease(sim.plan().lease())
            .withOrder(sim.plan().order())
            .withTraceAcquires(false)
            .withOperationTimeout(OPERATION_TIMEOUT);
    SimLane lane = new SimLane(sim, world, OPERATION_TIMEOUT.toNanos(), () -> callers);
    HandOverPolicy handOver = SimHandOver.of(sim.plan(), sim.store().traits(), lane);
    this.client =
        new Client(sim.store(), options, world, lane, handOver, SimClocks.of(sim.plan(), world));
    this.view = view(options);
  }

  private ClientView view(HoldfastOptions options) {
    if (sim.plan().bug() != SimBug.DRIFT_ONE_PERCENT) {
      return client.view(options);
    }
    LeaseTerms terms =
        new LeaseTerms(
            options.lease(), Duration.ZERO, 0.01, options.margin(), 0, /* fixed= */ false);
    return new ClientView(client, options, terms);
  }

  void start(int count) {
    for (int i = 0; i < count; i++) {
      SimTask task = new SimTask(sim, this);
      tasks.add(task);
      task.think();
    }
  }

  SimWorld world() {
    return world;
  }

  /** A task begins to wait for what it has asked for. */
  void waits() {
    callers++;
  }

  /** A task has what it asked for, or waits no more. */
  void waitsNoMore() {
    callers--;
  }

  List<SimTask> tasks() {
    return tasks;
  }

  /** What the tasks compete for, with this weight. */
  DistributedLock lock(int weight) {
    Shape shape =
        switch (sim.plan().target()) {
          case MUTEX_ANY -> Shape.mutex(Order.ANY);
          case MUTEX_FIFO -> Shape.mutex(Order.FIFO);
          case SEMAPHORE -> Shape.semaphore(Simulation.PERMITS);
          case READ_WRITE -> Shape.readWrite();
        };
    return view.lock(LockName.plain("contended"), shape, weight);
  }

  /** Returns what the client still keeps; nothing when no task holds or waits. */
  String leftovers() {
    String left = "";
    left += client.localLines().size() > 0 ? " local lines" : "";
    left += client.renewals().size() > 0 ? " claims" : "";
    left += client.waiting().isEmpty() ? "" : " waiters";
    return left;
  }
}
