package io.holdfast.jdbc.table.signals;

import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.jdbc.table.layout.WakeMessage;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Verb;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How waiters and holders of one client are notified; called around each verb. Thread-safe. */
public interface LockSignals extends AutoCloseable {

  /** The verb is about to be sent. */
  void beforeSend(Verb verb);

  /** The verb has its result and is about to be completed. */
  void beforeComplete(VerbResult answer);

  /** The verb was completed with its result. */
  default void afterComplete(VerbResult answer) {}

  /** A verb of this client has made room for these waiters. */
  void roomMade(List<WakeMessage> calls);

  /** Sets where to report that the row of a hold was changed; ignored where no signals arrive. */
  default void reportTo(HoldSignal signal) {}

  /** Returns the counters for {@code health()}. */
  default Map<String, Long> counters() {
    return Map.of();
  }

  /** Returns a warning when waiters cannot be signalled. */
  default Optional<String> silence() {
    return Optional.empty();
  }

  @Override
  void close();
}
