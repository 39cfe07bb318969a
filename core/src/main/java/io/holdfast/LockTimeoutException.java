package io.holdfast;

import io.holdfast.spi.Owner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The wait ended and the store said that others hold it. */
public final class LockTimeoutException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Owner holder;

  /** For the runtime, and for locks that engines have beside it; users catch it. */
  public LockTimeoutException(String message, @Nullable Owner holder) {
    super(message, null);
    this.holder = holder;
  }

  /** Who held it when the store was last asked, if the store tells. */
  public Optional<Owner> holder() {
    return Optional.ofNullable(holder);
  }
}
