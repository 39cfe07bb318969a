package io.holdfast.zookeeper.faults;

/** Programs that tests start in processes of their own. */
public final class Programs {

  private Programs() {}

  /** See {@link Worker}. */
  public static Class<?> worker() {
    return Worker.class;
  }
}
