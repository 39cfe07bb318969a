package io.holdfast.ids.internal;

import io.holdfast.World;
import io.holdfast.ids.IdFacts;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.UuidIds;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A generator of UUIDs of version 7 that rise strictly, whatever the clock does.
 *
 * <p>The state is one number: milliseconds, and behind them a counter of 22 bits. A later
 * millisecond sets the counter to a random value in its lower half; otherwise the number grows by
 * one, past the end of a millisecond if necessary. So it always grows, and every UUID has its own
 * number. The last 52 bits mix a secret of the generator with that number: they tell generators
 * apart, but must not be used as passwords.
 */
final class Uuid7Ids implements UuidIds {

  private static final int COUNTER_BITS = 22;
  private static final int START_BITS = COUNTER_BITS - 1;
  private static final int LOW_COUNTER_BITS = 10;
  private static final int RANDOM_BITS = 52;
  private static final long BASE = 1_577_836_800_000L; // 2020: the number lasts until 2089.
  private static final long VERSION = 7;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long MICROS_A_MILLI = 1000;

  private final World world;
  private final long secret;
  private final long another;
  private final AtomicLong last = new AtomicLong();

  Uuid7Ids(World world) {
    this.world = world;
    this.secret = world.secret();
    this.another = world.secret();
  }

  @Override
  public UUID next() {
    long now = world.epochMicros() / MICROS_A_MILLI - BASE;
    while (true) {
      long before = last.get();
      long next = now > before >>> COUNTER_BITS ? now << COUNTER_BITS | start(now) : before + 1;
      if (next < 0) {
        throw new IdsUnavailableException(
            "the clock is beyond 2089, the last year of these UUIDs: correct the clock", null);
      }
      if (last.compareAndSet(before, next)) {
        return uuid(next);
      }
    }
  }

  private long start(long now) {
    return BitMixer.mix(another ^ now) >>> (Long.SIZE - START_BITS);
  }

  private UUID uuid(long number) {
    long millis = (number >>> COUNTER_BITS) + BASE;
    long high = number >>> LOW_COUNTER_BITS & 0xfff;
    long low = number & 0x3ff;
    long random = BitMixer.mix(secret + number) >>> (Long.SIZE - RANDOM_BITS);
    return new UUID(millis << 16 | VERSION << 12 | high, VARIANT | low << RANDOM_BITS | random);
  }

  @Override
  public IdFacts describe(UUID id) {
    if (id.version() != VERSION || id.variant() != 2) {
      throw new IllegalArgumentException("not a UUID of version 7: id=" + id);
    }
    Instant time = Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
    long high = id.getMostSignificantBits() & 0xfff;
    long low = id.getLeastSignificantBits() >>> RANDOM_BITS & 0x3ff;
    return new IdFacts(Optional.of(time), OptionalInt.empty(), high << LOW_COUNTER_BITS | low);
  }
}
