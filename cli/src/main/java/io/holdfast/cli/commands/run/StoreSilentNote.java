package io.holdfast.cli.commands.run;

import java.time.Duration;

/**
 * Decides when to report a store that does not reply.
 *
 * <p>First after some seconds, then less and less often, so that a job that waits for days does not
 * fill a log. Not thread-safe.
 */
final class StoreSilentNote {

  /** Shorter outages are not reported. */
  static final Duration FIRST = Duration.ofSeconds(3);

  private static final Duration SECOND = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  private long since;
  private long speakAt;
  private Duration pause = SECOND;
  private boolean told;

  /** Begins now, by {@link System#nanoTime()}. */
  StoreSilentNote(long now) {
    begin(now);
  }

  private void begin(long now) {
    since = now;
    speakAt = now + FIRST.toNanos();
    pause = SECOND;
    told = false;
  }

  /** Records that the store did not reply; returns whether to report that now. */
  boolean goesOn(long now) {
    if (now - speakAt < 0) {
      return false;
    }
    speakAt = now + pause.toNanos();
    pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
    told = true;
    return true;
  }

  /** Records a reply; returns whether the outage before it was reported. */
  boolean ends(long now) {
    boolean wasTold = told;
    begin(now);
    return wasTold;
  }

  /** How long the store has been silent. */
  Duration lasts(long now) {
    return Duration.ofNanos(now - since);
  }
}
