package io.holdfast.jdbc.faults;

import io.holdfast.Hold;
import io.holdfast.rig.clients.LockWorker;
import java.io.IOException;
import java.time.Duration;

/**
 * A {@link LockWorker} that knows databases: {@code write HOLD NUMBER} (to the guarded data; the
 * number is in its answer) and {@code grants LOCK} (takes LOCK0, LOCK1 and so on, and keeps them,
 * until it is killed).
 */
final class Worker {

  private Worker() {}

  public static void main(String[] arguments) throws IOException {
    Guarded guarded = new Guarded(arguments[1].replaceAll("[?&]holdfast\\.[^&]*", ""));
    LockWorker.run(
        arguments,
        worker -> {
          worker.teach(
              "write",
              words ->
                  LockWorker.say(
                      "wrote %s %s %s"
                          .formatted(words[1], words[2], guarded.write(worker.hold(words[1])))));
          worker.teach("grants", words -> grants(worker, words[1]));
        });
  }

  private static void grants(LockWorker worker, String lock) throws InterruptedException {
    for (int i = 0; ; i++) {
      Hold hold = worker.holdfast().lock(lock + i).acquire(Duration.ofSeconds(10));
      LockWorker.say("granted " + i + " " + hold.token());
    }
  }
}
