package io.holdfast.examples;

import io.holdfast.Holdfast;
import io.holdfast.Once;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Two machines are to send a message every hour, for one of them may be down. One sends it; the
 * other waits for the result, and gives up for this hour when the message was sent.
 */
public final class HourlyMessage {

  private HourlyMessage() {}

  // region docs
  static Once.Result everyHour(Holdfast holdfast) throws InterruptedException {
    Once hourly = holdfast.once("hourly-message", Duration.ofHours(1));
    return hourly.run(Duration.ofMinutes(5), hold -> send("Hello world"));
  }

  // endregion

  private static void send(String message) throws InterruptedException {
    Thread.sleep(200); // so that the other one has to wait for the result
    System.out.println(message);
  }

  public static void main(String[] args) {
    try (Holdfast first = Holdfast.connect("memory:hourly");
        Holdfast second = Holdfast.connect("memory:hourly")) {
      CompletableFuture<Once.Result> here = CompletableFuture.supplyAsync(() -> machine(first));
      CompletableFuture<Once.Result> there = CompletableFuture.supplyAsync(() -> machine(second));
      boolean hereRan = here.join() == Once.Result.RAN;
      Once.Result other = hereRan ? there.join() : here.join();
      System.out.println("one machine RAN, the other found it " + other);
    }
  }

  private static Once.Result machine(Holdfast holdfast) {
    try {
      return everyHour(holdfast);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before the hour was over", e);
    }
  }
}
