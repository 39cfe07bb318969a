package io.holdfast.benchmarks;

import io.holdfast.Health;
import io.holdfast.Holdfast;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A store as the command line names it. */
final class GivenStore {

  private static final int TRIES = 3;
  private static final Pattern LOGIN = Pattern.compile("//[^/?]*:[^/?]*@");
  private static final Pattern PARAMETER =
      Pattern.compile(
          "[?&;(,][^=&;(),]*(password|passwd|pwd|secret|token)[^=&;(),]*=",
          Pattern.CASE_INSENSITIVE);

  private GivenStore() {}

  /**
   * Its address: the word itself, or what the environment has if that is "-".
   *
   * @param environment the value of {@code HOLDFAST_STORE}
   * @throws BadOptionException when the word has a password in it, which everybody on the machine
   *     could read; it is not quoted
   */
  static String uri(String word, @Nullable String environment) {
    if (word.equals("-")) {
      if (environment == null || environment.isBlank()) {
        throw new BadOptionException("--store - needs a URI in HOLDFAST_STORE");
      }
      return environment.strip();
    }
    if (LOGIN.matcher(word).find() || PARAMETER.matcher(word).find()) {
      throw new BadOptionException(
          "a password on the command line can be read by everybody on this machine: put the address"
              + " into HOLDFAST_STORE and write --store -");
    }
    return word;
  }

  /**
   * Why it cannot be used, as one without a server; empty if it can. Those that the run starts for
   * itself have no host, and are not asked.
   *
   * @throws BadOptionException when the address is not understood
   */
  static Optional<String> trouble(String uri) {
    if (!uri.contains("://")) {
      return Optional.empty();
    }
    try (Holdfast holdfast = Holdfast.connect(uri)) {
      Health health = holdfast.health();
      // The first connection to a busy server may take longer than an operation may.
      for (int tries = 1; tries < TRIES && health.status() == Health.Status.DOWN; tries++) {
        health = holdfast.health();
      }
      return health.status() == Health.Status.DOWN
          ? Optional.of(health.detail())
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      throw new BadOptionException(String.valueOf(e.getMessage()));
    }
  }
}
