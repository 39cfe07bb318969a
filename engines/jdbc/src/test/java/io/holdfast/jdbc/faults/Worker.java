package io.holdfast.jdbc.faults;

import io.holdfast.Hold;
import io.holdfast.rig.clients.LockWorker;
import java.io.IOException;
import java.time.Duration;

/**
 * A {@link LockWorker} that knows {@code grants LOCK}: it takes LOCK0, LOCK1 and so on, and keeps
 * them, until it is killed.
 */
final class Worker {

  private Worker() {}

  public static void main(String[] arguments) throws IOException {
    LockWorker.run(arguments, worker -> worker.teach("grants", words -> grants(worker, words[1])));
  }

  private static void grants(LockWorker worker, String lock) throws InterruptedException {
    for (int i = 0; ; i++) {
      Hold hold = worker.holdfast().lock(lock + i).acquire(Duration.ofSeconds(10));
      LockWorker.say("granted " + i + " " + hold.token());
    }
  }
}
