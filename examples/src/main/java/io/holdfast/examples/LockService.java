package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.server.LockServer;
import io.holdfast.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;

/** A lock service in front of a store, and programs that use it. */
public final class LockService {

  private LockService() {}

  /** Runs it. */
  public static void main(String[] args) throws IOException, InterruptedException {
    // region docs
    try (LockServer server = LockServer.start("memory:", ServerOptions.DEFAULTS.withPort(0));
        Holdfast holdfast = Holdfast.connect(server.address());
        Hold hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
      System.out.println("held: " + hold.isHeld());
    }
    // endregion
  }
}
