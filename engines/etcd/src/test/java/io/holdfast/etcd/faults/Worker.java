package io.holdfast.etcd.faults;

import io.holdfast.Hold;
import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.clients.WorkerJvm;
import java.io.IOException;
import java.time.Duration;

/**
 * A worker that also knows {@code fixed LOCK SECONDS} (a hold that is not renewed) and {@code
 * permit SEMAPHORE}.
 */
public final class Worker {

  private Worker() {}

  /** Runs until its standard input ends. */
  public static void main(String[] arguments) throws IOException {
    LockWorker.run(
        arguments,
        worker -> {
          worker.teach("fixed", words -> fixed(worker, words[1], Long.parseLong(words[2])));
          worker.teach("permit", words -> permit(worker, words[1]));
        });
  }

  private static void fixed(LockWorker worker, String lock, long seconds)
      throws InterruptedException {
    Hold hold =
        worker
            .holdfast()
            .with(options -> options.withFixedLease(Duration.ofSeconds(seconds)))
            .lock(lock)
            .acquire(WorkerJvm.LONG);
    LockWorker.say("fixed " + lock + " " + hold.token());
  }

  private static void permit(LockWorker worker, String semaphore) throws InterruptedException {
    Hold hold = worker.holdfast().semaphore(semaphore, 2).acquire(WorkerJvm.LONG);
    LockWorker.say("permit " + semaphore + " " + hold.token());
  }
}
