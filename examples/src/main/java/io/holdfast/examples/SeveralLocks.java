package io.holdfast.examples;

import io.holdfast.Holdfast;
import io.holdfast.MultiHold;
import io.holdfast.MultiLock;
import java.time.Duration;
import java.util.TreeMap;

/** Two accounts at once, all or none, whatever the order in which they are named. */
public final class SeveralLocks {

  private SeveralLocks() {}

  public static void main(String[] args) throws InterruptedException {
    TreeMap<String, Integer> accounts = new TreeMap<>();
    accounts.put("accounts/3", 100);
    accounts.put("accounts/7", 100);

    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      // region docs
      MultiLock both = holdfast.multiLock("accounts/7", "accounts/3");

      try (MultiHold holds = both.acquire(Duration.ofSeconds(5))) {
        accounts.merge("accounts/7", -30, Integer::sum);
        accounts.merge("accounts/3", +30, Integer::sum);
        holds.ensureHeld(); // throws if one of them was lost meanwhile
        System.out.println("a token for each of " + new TreeMap<>(holds.tokens()).keySet());
      }
      // endregion
    }
    System.out.println(accounts);
  }
}
