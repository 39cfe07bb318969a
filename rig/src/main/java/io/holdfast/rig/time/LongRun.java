package io.holdfast.rig.time;

/** Scales how much a test does: more in the long run, {@code -Dlong}. */
public final class LongRun {

  private LongRun() {}

  /** One number for every build, another for the long run. */
  public static int of(int usual, int inTheLongRun) {
    return System.getProperty("long") == null ? usual : inTheLongRun;
  }
}
