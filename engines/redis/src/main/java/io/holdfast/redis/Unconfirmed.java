package io.holdfast.redis;

import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;

/**
 * A grant that too few replicas know, and of which nobody has been told.
 *
 * @param waited whether the ticket stood in line before: it may have been told its place
 */
record Unconfirmed(Verb verb, long token, boolean waited) {

  Ticket ticket() {
    return verb.ticket();
  }
}
