package io.holdfast.ids;

import java.util.UUID;

/** A generator of UUIDs. Never blocks, needs no store. Thread-safe. */
public interface UuidIds {

  /** Returns the next UUID. */
  UUID next();

  /**
   * Returns the parts of a UUID: the time for version 7, nothing for others.
   *
   * @throws IllegalArgumentException if the UUID is not of this generator's version
   */
  IdFacts describe(UUID id);
}
