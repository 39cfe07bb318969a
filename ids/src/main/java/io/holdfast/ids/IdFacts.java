package io.holdfast.ids;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The parts of an id.
 *
 * @param time when the id was generated, by the generator's clock and as precise as the id
 * @param worker the worker number of the generator
 * @param sequence the number of the id within its tick and worker; the id itself if ids are counted
 */
public record IdFacts(Optional<Instant> time, OptionalInt worker, long sequence) {}
