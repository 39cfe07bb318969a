package io.holdfast.etcd.connection;

/** A transaction was not executed, because a lease that it names has ended. */
public final class LeaseNotFoundException extends Exception {

  private static final long serialVersionUID = 1L;

  public LeaseNotFoundException(Throwable cause) {
    super("the lease has ended", cause);
  }
}
