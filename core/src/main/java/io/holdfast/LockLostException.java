package io.holdfast;

/** The hold was lost before its release: a rival may have entered the protected section. */
public final class LockLostException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  private final transient Loss loss;

  public LockLostException(Loss loss) {
    super("hold was lost (" + loss + "); check what it protected, or let a guard check", null);
    this.loss = loss;
  }

  /** Returns the cause and the details of the loss. */
  public Loss loss() {
    return loss;
  }
}
