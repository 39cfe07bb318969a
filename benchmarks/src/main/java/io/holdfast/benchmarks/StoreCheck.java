package io.holdfast.benchmarks;

import io.holdfast.Health;
import io.holdfast.Holdfast;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;

/** Checks that a store replies before a run begins. */
final class StoreCheck {

  private static final int TRIES = 3;

  private StoreCheck() {}

  /**
   * Returns if the store replies. Stores that the run starts for itself have no host, and are not
   * asked.
   *
   * @throws CliException if the store does not reply, or the address is not understood
   */
  static void require(String uri) {
    if (!uri.contains("://")) {
      return;
    }
    try (Holdfast holdfast = Holdfast.connect(uri)) {
      Health health = holdfast.health();
      // The first connection to a busy server may take longer than an operation may.
      for (int tries = 1; tries < TRIES && health.status() == Health.Status.DOWN; tries++) {
        health = holdfast.health();
      }
      if (health.status() == Health.Status.DOWN) {
        throw new CliException(ExitCode.STORE, health.detail());
      }
    } catch (IllegalArgumentException e) {
      throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
