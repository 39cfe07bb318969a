package io.holdfast.cli.demo;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A worker in a process of its own. Reads its name, the store's address and the lock's name, a line
 * each, then orders: {@code take} and {@code give}. Says {@code ready}, {@code in TOKEN}, {@code
 * lost CAUSE} and {@code gave OUTCOME}, and {@code gone REASON} before it ends for one. Ends with
 * its input, so none stays behind.
 */
final class DemoWorker {

  private static final Duration LONG_ENOUGH = Duration.ofSeconds(40);

  private final Holdfast holdfast;
  private final DemoStore place;
  private @Nullable Hold hold;

  private DemoWorker(Holdfast holdfast, DemoStore place) {
    this.holdfast = holdfast;
    this.place = place;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    // By its input, because everybody can see the arguments of a process.
    String name = in.readLine();
    DemoStore place = new DemoStore(Optional.of(in.readLine()), in.readLine());
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(DemoMachine.LEASE).withApp(name);
    try (Holdfast holdfast = place.open(options, World.system())) {
      DemoWorker worker = new DemoWorker(holdfast, place);
      say("ready");
      for (String order = in.readLine(); order != null; order = in.readLine()) {
        worker.obey(order);
      }
    } catch (HoldfastException e) {
      say("gone " + String.valueOf(e.getMessage()).replace('\n', ' '));
    }
  }

  private void obey(String order) throws InterruptedException {
    if (order.equals("take")) {
      Hold taken = holdfast.lock(place.lock()).acquire(LONG_ENOUGH);
      hold = taken;
      say("in " + taken.token());
      taken.onLoss(loss -> say("lost " + loss.cause()));
    } else if (order.equals("give") && hold != null) {
      say("gave " + hold.release());
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
