package io.holdfast.cli.commands.doctor;

import java.util.Locale;

/**
 * Compares the store's wall clock with ours. Locks never compare the two; but a clock that is far
 * off will be set one day, and where leases are counted on it, such a step ends them early.
 */
final class ClockCheck {

  private static final double FAR_SECONDS = 5;

  private ClockCheck() {}

  /** Milliseconds since 1970, as the store says. */
  interface StoreTime {
    double epochMillis() throws Exception;
  }

  /** Where leases are counted by a leader, on a clock that nobody sets. */
  static void ofLeader(Checkup rounds) {
    rounds.say(
        Finding.good(
            "clock", "leases run on the leader's steady clock: setting the time ends none"));
  }

  static void look(Checkup rounds, String where, StoreTime store) throws Exception {
    long before = System.currentTimeMillis();
    long start = System.nanoTime();
    double told = store.epochMillis();
    double trip = (System.nanoTime() - start) / 1e6;
    double seconds = (told - before - trip / 2) / 1000;
    String text =
        String.format(
            Locale.ROOT,
            "%s is %.3f s %s ours",
            where,
            Math.abs(seconds),
            seconds < 0 ? "behind" : "ahead of");
    rounds.say(
        Math.abs(seconds) < FAR_SECONDS
            ? Finding.good("clock", text)
            : Finding.warn(
                "clock",
                text,
                "keep both by NTP, slewing and not stepping: a step forward ends leases early"));
  }
}
