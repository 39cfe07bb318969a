package io.holdfast;

import io.holdfast.spi.Owner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The wait ended while other holders had the lock, as the store reported. */
public final class LockTimeoutException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Owner holder;

  /** For the runtime, and for other locks of engines; users catch it. */
  public LockTimeoutException(String message, @Nullable Owner holder) {
    super(message, null);
    this.holder = holder;
  }

  /** Returns the holder at the last attempt, if the store reports it. */
  public Optional<Owner> holder() {
    return Optional.ofNullable(holder);
  }
}
