package io.holdfast.benchmarks;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The peers that {@code --peers} can name. */
final class Peers {

  static final String REENTRANT = "reentrant";
  static final String REENTRANT_FAIR = "reentrant-fair";
  static final String FILE_LOCK = "file-lock";

  private static final Map<String, Supplier<Contender>> BY_NAME =
      new TreeMap<>(
          Map.of(
              REENTRANT, () -> new ReentrantContender(REENTRANT, false),
              REENTRANT_FAIR, () -> new ReentrantContender(REENTRANT_FAIR, true),
              FILE_LOCK, FileLockContender::new));

  private Peers() {}

  /**
   * Makes the peer of this name.
   *
   * @throws BadOptionException when there is none
   */
  static Contender named(String name) {
    return Optional.ofNullable(BY_NAME.get(name))
        .orElseThrow(
            () ->
                new BadOptionException(
                    "--peers must be names of %s: --peers=%s".formatted(BY_NAME.keySet(), name)))
        .get();
  }
}
