package io.holdfast.tck.faults;

import io.holdfast.HoldfastOptions;
import java.time.Duration;
import java.util.Set;

/**
 * A client that a scenario asks the harness for.
 *
 * @param name for messages; unique within the scenario
 * @param namespace of all locks of this scenario
 * @param lease the client's lease
 * @param abilities the faults that the scenario will inflict on it; no others are asked for
 */
public record ClientSpec(String name, String namespace, Duration lease, Set<Ability> abilities) {

  private static final int QUEUE_LIMIT = 100_000;

  /** Copies the set. */
  public ClientSpec {
    abilities = Set.copyOf(abilities);
  }

  /** Whether the scenario will inflict this fault. */
  public boolean needs(Ability ability) {
    return abilities.contains(ability);
  }

  /** The options of such a client. */
  public HoldfastOptions options() {
    return HoldfastOptions.DEFAULTS
        .withNamespace(namespace)
        .withLease(lease)
        .withQueueLimit(QUEUE_LIMIT);
  }
}
