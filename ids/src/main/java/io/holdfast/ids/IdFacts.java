package io.holdfast.ids;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an id tells.
 *
 * @param time when it was made, as the generator's clock had it and as exactly as the id holds it
 * @param worker which generator made it
 * @param sequence which of those that were made in that moment by that worker; of ids that only
 *     count, the number itself
 */
public record IdFacts(Optional<Instant> time, OptionalInt worker, long sequence) {

  /** An id that only counts. */
  static IdFacts counted(long id) {
    if (id < 0) {
      throw new IllegalArgumentException("no id of ours is negative: id=" + id);
    }
    return new IdFacts(Optional.empty(), OptionalInt.empty(), id);
  }
}
