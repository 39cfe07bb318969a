package io.holdfast.ids.internal;

import io.holdfast.ids.IdFacts;
import io.holdfast.ids.UuidIds;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** A generator of UUIDs of version 4: 122 secure random bits. */
final class Uuid4Ids implements UuidIds {

  static final Uuid4Ids INSTANCE = new Uuid4Ids();

  private static final int VERSION = 4;

  private Uuid4Ids() {}

  @Override
  public UUID next() {
    return UUID.randomUUID();
  }

  @Override
  public IdFacts describe(UUID id) {
    if (id.version() != VERSION) {
      throw new IllegalArgumentException("not a UUID of version 4: id=" + id);
    }
    return new IdFacts(Optional.empty(), OptionalInt.empty(), 0);
  }
}
