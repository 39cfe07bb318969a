package io.holdfast.redis;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A program that holds a lock and writes whenever its standard input says so, without looking at
 * its hold again: as one that was paused between the look and the write.
 */
final class LateWriter {

  static final String RESOURCE = "seed";
  static final String DATA = "data";

  private static final Duration WAIT = Duration.ofSeconds(20);

  private LateWriter() {}

  static GuardedWrite write(String value) {
    return new GuardedWrite(
        "return redis.call('SET', KEYS[1], ARGV[1])", List.of(DATA), List.of(value));
  }

  /** Arguments: address, and whether the hold is to be one that was handed over. */
  public static void main(String[] arguments) throws Exception {
    try (Holdfast holdfast = Holdfast.connect(arguments[0] + "?holdfast.lease=2s");
        RedisFenceGuard guard = RedisFenceGuard.connect(arguments[0]);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      Hold hold = holdfast.lock(RESOURCE).acquire(WAIT);
      if (Boolean.parseBoolean(arguments[1])) {
        CompletableFuture<Hold> next = holdfast.lock(RESOURCE).acquireAsync(WAIT);
        guard.run(hold, write("before the hand-over"));
        hold.release();
        hold = next.get();
      }
      System.out.println("held " + hold.token());
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        try {
          guard.run(hold, write(line));
          System.out.println("wrote " + line);
        } catch (StaleTokenException e) {
          System.out.println("stale " + e.token() + " " + e.current());
        }
      }
    }
  }
}
