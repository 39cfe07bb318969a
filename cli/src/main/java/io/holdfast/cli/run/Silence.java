package io.holdfast.cli.run;

import java.time.Duration;

/**
 * When to speak of a store that does not answer: after some seconds, and then less and less often,
 * so that a job that waits for days does not fill a log. Not thread-safe.
 */
final class Silence {

  /** Shorter ones are hiccups, which nobody needs to hear of. */
  static final Duration FIRST = Duration.ofSeconds(3);

  private static final Duration SECOND = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  private long since;
  private long speakAt;
  private Duration pause = SECOND;
  private boolean told;

  /** Begins now, by {@link System#nanoTime()}: nothing was heard yet. */
  Silence(long now) {
    begin(now);
  }

  private void begin(long now) {
    since = now;
    speakAt = now + FIRST.toNanos();
    pause = SECOND;
    told = false;
  }

  /** The store did not answer; says whether that is to be told now. */
  boolean goesOn(long now) {
    if (now - speakAt < 0) {
      return false;
    }
    speakAt = now + pause.toNanos();
    pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
    told = true;
    return true;
  }

  /** The store answered; says whether somebody was told that it did not. */
  boolean ends(long now) {
    boolean wasTold = told;
    begin(now);
    return wasTold;
  }

  /** For how long nothing was heard. */
  Duration lasts(long now) {
    return Duration.ofNanos(now - since);
  }
}
