package io.holdfast.examples;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Asking for a lock without a thread that waits, and changing one's mind. */
public final class WithoutBlocking {

  private WithoutBlocking() {}

  public static void main(String[] args) throws Exception {
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      // region docs
      DistributedLock lock = holdfast.lock("thumbnails");

      CompletableFuture<Hold> first = lock.acquireAsync(Duration.ofSeconds(5));
      CompletableFuture<Hold> second = lock.acquireAsync(Duration.ofSeconds(5));

      Hold hold = first.join();
      System.out.println("first is in, second waits: " + !second.isDone());

      second.cancel(true); // leaves the line; nothing of it stays behind
      hold.release();

      CompletableFuture<String> painted =
          lock.acquireAsync(Duration.ofSeconds(5))
              .thenApply(
                  third -> {
                    try (third) { // the future runs this where it may block
                      return "painted";
                    }
                  });
      System.out.println(painted.join());
      // endregion
      var line = holdfast.inspector().orElseThrow().show(new Resource("default", "thumbnails"));
      System.out.println("left behind: " + line.isPresent());
    }
  }
}
