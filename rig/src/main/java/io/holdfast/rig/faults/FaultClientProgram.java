package io.holdfast.rig.faults;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Loss;
import io.holdfast.spi.Order;
import io.holdfast.tck.faults.ClientSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The program of a {@link FaultClientJvm}. It reads {@code acquire ID ORDER MILLIS NAME}, {@code
 * held ID NUMBER}, {@code expired ID NUMBER}, {@code remaining ID NUMBER} and {@code release ID
 * NUMBER}, and writes {@code granted ID NANOS TOKEN HOLD}, {@code refused ID MESSAGE}, {@code lost
 * ID NANOS} and {@code reply NUMBER VALUE}.
 */
public final class FaultClientProgram {

  private final Holdfast holdfast;
  private final Map<String, CompletableFuture<Boolean>> pending = new ConcurrentHashMap<>();
  private final Map<String, Hold> holds = new ConcurrentHashMap<>();

  private FaultClientProgram(Holdfast holdfast) {
    this.holdfast = holdfast;
  }

  /** Runs until its standard input ends; arguments are the address, the namespace and the lease. */
  public static void main(String[] arguments) throws IOException {
    Duration lease = Duration.ofMillis(Long.parseLong(arguments[2]));
    HoldfastOptions options = new ClientSpec("", arguments[1], lease, Set.of()).options();
    try (Holdfast holdfast = Holdfast.connect(arguments[0], options);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      FaultClientProgram program = new FaultClientProgram(holdfast);
      say("ready");
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        program.obey(line.split(" ", 5));
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private void obey(String... words) {
    String id = words[1];
    switch (words[0]) {
      case "acquire" -> acquire(id, Order.valueOf(words[2]), words[3], words[4]);
      case "held" -> reply(words[2], holds.containsKey(id) && holds.get(id).isHeld());
      case "expired" -> reply(words[2], holds.containsKey(id) && hasExpired(known(id)));
      case "remaining" ->
          reply(words[2], holds.containsKey(id) ? holds.get(id).remaining().toNanos() : 0);
      // Blocks; other commands must not wait for it.
      case "release" -> new Thread(() -> reply(words[2], known(id).release()), "release").start();
      default -> say("not understood: " + words[0]);
    }
  }

  private static boolean hasExpired(Hold hold) {
    return hold.loss().filter(loss -> loss.cause() == Loss.Cause.EXPIRED).isPresent();
  }

  private Hold known(String id) {
    return Optional.ofNullable(holds.get(id)).orElseThrow();
  }

  private static void reply(String number, Object value) {
    say("reply " + number + " " + value);
  }

  private void acquire(String id, Order order, String millis, String name) {
    CompletableFuture<Hold> acquiring =
        holdfast
            .with(options -> options.withOrder(order))
            .lock(name)
            .acquireAsync(Duration.ofMillis(Long.parseLong(millis)));
    pending.put(id, acquiring.handle((hold, failure) -> ended(id, hold, failure)));
  }

  private boolean ended(String id, @Nullable Hold hold, @Nullable Throwable failure) {
    if (hold == null) {
      say("refused " + id + " " + String.valueOf(failure).replace('\n', ' '));
      return false;
    }
    long now = System.nanoTime();
    holds.put(id, hold);
    hold.onLoss(loss -> say("lost " + id + " " + System.nanoTime()));
    say("granted " + id + " " + now + " " + hold.token() + " " + hold.id());
    return true;
  }
}
