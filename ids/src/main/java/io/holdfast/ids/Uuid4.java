package io.holdfast.ids;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** 122 random bits, from the JDK's source of secrets. */
final class Uuid4 implements UuidIds {

  static final Uuid4 INSTANCE = new Uuid4();

  private static final int VERSION = 4;

  private Uuid4() {}

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
