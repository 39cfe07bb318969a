package io.holdfast.spi;

import org.jspecify.annotations.Nullable;

/** A verb that got no reply. The three kinds are three different facts. */
public abstract sealed class EngineException extends Exception {

  private static final long serialVersionUID = 1L;

  private EngineException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Certainly not executed: the runtime retries while time remains. */
  public static final class NotDone extends EngineException {
    private static final long serialVersionUID = 1L;

    public NotDone(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Executed or not: retried with the same ticket; never treated as lost, never as busy. */
  public static final class Unknown extends EngineException {
    private static final long serialVersionUID = 1L;

    public Unknown(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Permanent: shape, rights, a foreign key, configuration. Ends the acquire at once. */
  public static final class Refused extends EngineException {
    private static final long serialVersionUID = 1L;

    public Refused(String message) {
      this(message, null);
    }

    public Refused(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
