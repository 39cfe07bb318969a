package io.holdfast.torture;

/** Calls as a log would have them, with times in milliseconds. */
final class Calls {
  private static final long MILLI = 1_000_000;

  private Calls() {}

  static Call granted(String process, String name, boolean exclusive, long called, long granted) {
    Call call = new Call(process, 0, TestedLock.of(name), exclusive, 0, called * MILLI);
    call.granted = granted * MILLI;
    call.holdId = process + "/" + called;
    return call;
  }

  /** A holder that was granted at a time and last seen to believe at another. */
  static Call believed(String process, String name, boolean exclusive, long granted, long last) {
    Call call = granted(process, name, exclusive, granted - 1, granted);
    call.believed = last * MILLI;
    return call;
  }

  static Call withToken(Call call, long token) {
    call.token = token;
    return call;
  }
}
