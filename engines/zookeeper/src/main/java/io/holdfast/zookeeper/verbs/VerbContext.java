package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Standing;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.session.HeldLockScan;
import io.holdfast.zookeeper.session.Sessions;
import io.holdfast.zookeeper.session.TicketState;
import io.holdfast.zookeeper.session.TicketTable;
import java.time.Duration;

/** What the verbs of all lanes of an engine share. */
public record VerbContext(
    EngineTraits traits,
    StoreErrors errors,
    Sessions sessions,
    TicketTable tickets,
    HeldLockScan heldLocks) {

  /** Returns how long a grant lasts now: as long as the store surely keeps the session. */
  Duration validFor(TicketState state) {
    long left = state.session().validity().remaining();
    return Duration.ofNanos(Math.max(0, left));
  }

  /** Returns the grant of a ticket. */
  Standing.Granted granted(TicketState state) {
    return new Standing.Granted(state.token(), validFor(state), state.isWanted());
  }
}
