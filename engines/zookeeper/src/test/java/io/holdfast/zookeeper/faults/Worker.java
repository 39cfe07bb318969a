package io.holdfast.zookeeper.faults;

import io.holdfast.Hold;
import io.holdfast.StaleTokenException;
import io.holdfast.rig.clients.LockWorker;
import io.holdfast.zookeeper.ZooKeeperFenceGuard;
import java.io.IOException;

/**
 * A {@link LockWorker} that knows ZooKeeper: {@code claim HOLD NUMBER} (at the guard of the lock's
 * name; the number is in its answer).
 */
final class Worker {

  private Worker() {}

  public static void main(String[] arguments) throws IOException {
    String plain = arguments[1].replaceAll("[?].*", "");
    try (ZooKeeperFenceGuard guard = ZooKeeperFenceGuard.connect(plain)) {
      LockWorker.run(
          arguments,
          worker ->
              worker.teach(
                  "claim",
                  words ->
                      LockWorker.say(
                          "claimed %s %s %s"
                              .formatted(
                                  words[1], words[2], claim(guard, worker.hold(words[1]))))));
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
}
