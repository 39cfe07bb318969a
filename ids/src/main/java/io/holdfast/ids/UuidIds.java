package io.holdfast.ids;

import java.util.UUID;

/** Makes UUIDs. Never blocks, needs no store; any thread may call. */
public interface UuidIds {

  /** The next one. */
  UUID next();

  /**
   * What a UUID tells: the time of version 7, nothing of others.
   *
   * @throws IllegalArgumentException when it is not of this generator's version
   */
  IdFacts describe(UUID id);
}
