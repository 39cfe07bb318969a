package io.holdfast.rig.checks;

import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares what exists before and after a test, and reports what was left behind.
 *
 * <pre>{@code
 * LeakCheck before = LeakCheck.baseline(Inventory.threads(), Inventory.fileDescriptors(pid), keys);
 * …
 * before.awaitReturn(Duration.ofSeconds(2)).requireClean(3);
 * }</pre>
 */
public final class LeakCheck {
  private final Map<Inventory, Collection<String>> before;

  private LeakCheck(Map<Inventory, Collection<String>> before) {
    this.before = before;
  }

  /** Takes stock. */
  public static LeakCheck baseline(Inventory... inventories) {
    return new LeakCheck(takeStock(List.of(inventories)));
  }

  /**
   * Waits until there is no more of anything than before; the verdict names what is still too much
   * at the bound. Fewer than before is fine, and so is one for another.
   */
  public CheckResult awaitReturn(Duration bound) {
    boolean clean = Await.within(bound, () -> excess().isEmpty());
    return new CheckResult("leaks", before.size(), clean ? List.of() : excess());
  }

  private List<Violation> excess() {
    List<Violation> violations = new ArrayList<>();
    takeStock(before.keySet())
        .forEach(
            (inventory, now) -> {
              Collection<String> then = before.getOrDefault(inventory, List.of());
              if (now.size() > then.size()) {
                violations.add(leak(inventory, then, now));
              }
            });
    return violations;
  }

  private static Violation leak(
      Inventory inventory, Collection<String> then, Collection<String> now) {
    List<String> added = new ArrayList<>(now);
    // One for one, because several may have the same name.
    then.forEach(added::remove);
    String what =
        "%s: %d before, %d after; new are %s"
            .formatted(inventory.name(), then.size(), now.size(), added);
    return new Violation("leak", what, List.of());
  }

  private static Map<Inventory, Collection<String>> takeStock(Collection<Inventory> inventories) {
    Map<Inventory, Collection<String>> stock = new LinkedHashMap<>();
    for (Inventory inventory : inventories) {
      try {
        stock.put(inventory, List.copyOf(inventory.list().call()));
      } catch (Exception e) {
        throw new IllegalStateException("cannot list the " + inventory.name(), e);
      }
    }
    return stock;
  }
}
