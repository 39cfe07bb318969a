package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Rounds with the threads of this process. */
final class ThreadRunner implements Runner {

  private final Contender.Session session;
  private final Workload workload;
  private final Ledger ledger;

  /**
   * A runner over a connection that it closes at its end.
   *
   * @param workload of all its rounds
   */
  ThreadRunner(Contender.Session session, Workload workload) {
    this.session = session;
    this.workload = workload;
    this.ledger = Ledger.inMemory(workload.names().size());
  }

  @Override
  public Sample run(Duration time) throws InterruptedException {
    long[] before = ledger.counts();
    Sample sample = Crew.run(session, ledger, workload, time, System.nanoTime());
    List<String> faults = new ArrayList<>(sample.faults());
    faults.addAll(ledger.audit(before, workload.byCell(sample.shares())));
    return sample.withFaults(faults);
  }

  @Override
  public void close() throws Exception {
    session.close();
  }
}
