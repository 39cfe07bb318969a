package io.holdfast.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs rounds with threads of this process. */
public final class ThreadRunner implements RoundRunner {

  private final Contender.Session session;
  private final Workload workload;
  private final ProtectedCounters ledger;

  /**
   * A runner over a connection that it closes at its end.
   *
   * @param workload of all its rounds
   */
  public ThreadRunner(Contender.Session session, Workload workload) {
    this.session = session;
    this.workload = workload;
    this.ledger = ProtectedCounters.inMemory(workload.names().size());
  }

  @Override
  public Sample run(Duration time) throws InterruptedException {
    long[] before = ledger.counts();
    Sample sample = LoadThreads.run(session, ledger, workload, time, System.nanoTime());
    List<String> faults = new ArrayList<>(sample.faults());
    faults.addAll(ledger.audit(before, workload.byCell(sample.shares())));
    return sample.withFaults(faults);
  }

  @Override
  public void close() throws Exception {
    session.close();
  }
}
