package io.holdfast.zookeeper.faults;

import io.holdfast.Hold;
import io.holdfast.StaleTokenException;
import io.holdfast.rig.LockWorker;
import io.holdfast.zookeeper.ZooKeeperFenceGuard;
import java.io.IOException;
import java.time.Duration;

/**
 * A {@link LockWorker} that knows ZooKeeper: {@code claim HOLD NUMBER} (at the guard of the lock's
 * name; the number is in its answer) and {@code turn LOCK ID} (waits in line for one turn).
 */
final class Worker {

  private Worker() {}

  public static void main(String[] arguments) throws IOException {
    String plain = arguments[1].replaceAll("[?].*", "");
    try (ZooKeeperFenceGuard guard = ZooKeeperFenceGuard.connect(plain)) {
      LockWorker.run(
          arguments,
          worker -> {
            worker.teach(
                "claim",
                words ->
                    LockWorker.say(
                        "claimed %s %s %s"
                            .formatted(words[1], words[2], claim(guard, worker.hold(words[1])))));
            worker.teach("turn", words -> turn(worker, words[1], words[2]));
          });
    }
  }

  private static boolean claim(ZooKeeperFenceGuard guard, Hold hold) {
    try {
      guard.claim(hold);
      return true;
    } catch (StaleTokenException e) {
      return false;
    }
  }

  /** Waits for one turn and gives it back at once. */
  private static void turn(LockWorker worker, String lock, String id) throws InterruptedException {
    try (Hold hold = worker.holdfast().lock(lock).acquire(Duration.ofMinutes(2))) {
      LockWorker.say("turn " + id + " " + hold.token());
    }
  }
}
