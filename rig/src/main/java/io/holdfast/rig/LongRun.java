package io.holdfast.rig;

/** How much a test does: enough for every build, and more in the long run, {@code -Dlong}. */
public final class LongRun {

  private LongRun() {}

  /** One number for every build, another for the long run. */
  public static int of(int usual, int inTheLongRun) {
    return System.getProperty("long") == null ? usual : inTheLongRun;
  }
}
