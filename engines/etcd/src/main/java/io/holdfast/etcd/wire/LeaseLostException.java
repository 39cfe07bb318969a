package io.holdfast.etcd.wire;

/** A transaction was not executed, because a lease that it names is over. */
public final class LeaseLostException extends Exception {

  private static final long serialVersionUID = 1L;

  LeaseLostException(Throwable cause) {
    super("a lease is over", cause);
  }
}
