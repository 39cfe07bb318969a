package io.holdfast.ids.internal;

import io.holdfast.ids.IdLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The way in which the ids of a name are generated.
 *
 * <p>All generators of a name must use the same scheme, or two of them could make the same id. A
 * scheme is encoded as two numbers, which a store can keep.
 */
sealed interface IdScheme {

  /** The kind of scheme and the bits of a layout: 1 or more, at most 32 bits. */
  long code();

  /** The epoch of a layout in microseconds; 0 without a layout. */
  long epochMicros();

  /**
   * Numbers of a counter, in blocks or one by one.
   *
   * @param clocked whether they follow the store's clock
   */
  record Counted(boolean clocked) implements IdScheme {

    @Override
    public long code() {
      return clocked ? CLOCKED : PLAIN;
    }

    @Override
    public long epochMicros() {
      return 0;
    }

    @Override
    public String toString() {
      return "numbers of a counter" + (clocked ? " that follows the store's clock" : "");
    }
  }

  /** Numbers with the time and a worker in them. */
  record Timed(IdLayout layout) implements IdScheme {

    @Override
    public long code() {
      return TIMED
          | layout.tick().toMillis() << TICK
          | (long) layout.timeBits() << TIME
          | (long) layout.workerBits() << WORKER
          | (long) layout.sequenceBits() << SEQUENCE;
    }

    @Override
    public long epochMicros() {
      return LayoutMath.microsAt(layout, 0);
    }

    @Override
    public String toString() {
      return "time-ordered in the layout "
          + layout.timeBits()
          + "+"
          + layout.workerBits()
          + "+"
          + layout.sequenceBits()
          + " bits of time, worker and sequence, tick "
          + layout.tick()
          + ", epoch "
          + layout.epoch();
    }
  }

  long PLAIN = 1;
  long CLOCKED = 2;
  long TIMED = 3;
  int TICK = 2;
  int TIME = 16;
  int WORKER = 22;
  int SEQUENCE = 27;

  /** Decodes two numbers; empty if this version does not know the scheme. */
  static Optional<IdScheme> of(long code, long epochMicros) {
    if (code == PLAIN || code == CLOCKED) {
      return Optional.of(new Counted(code == CLOCKED));
    }
    if ((code & 3) != TIMED || code >>> 32 != 0) {
      return Optional.empty();
    }
    try {
      IdLayout layout =
          new IdLayout(
              Instant.EPOCH.plus(epochMicros, ChronoUnit.MICROS),
              Duration.ofMillis(code >> TICK & 0x3fff),
              (int) (code >> TIME & 0x3f),
              (int) (code >> WORKER & 0x1f),
              (int) (code >> SEQUENCE & 0x1f));
      return Optional.of(new Timed(layout));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns whether both schemes generate the same ids. */
  default boolean isSameAs(IdScheme other) {
    return code() == other.code() && epochMicros() == other.epochMicros();
  }
}
