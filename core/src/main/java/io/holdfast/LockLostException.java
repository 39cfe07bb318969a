package io.holdfast;

/** The hold was lost before it was released: what it protected may have met a rival. */
public final class LockLostException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  private final transient Loss loss;

  LockLostException(Loss loss) {
    super("hold was lost (" + loss + "); check what it protected, or let a guard check", null);
    this.loss = loss;
  }

  /** Why and what. */
  public Loss loss() {
    return loss;
  }
}
