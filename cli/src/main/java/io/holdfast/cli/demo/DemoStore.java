package io.holdfast.cli.demo;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The store and the lock of the demo.
 *
 * @param uri of the store, empty for this process; may contain secrets
 * @param lock the name of the lock
 */
record DemoStore(Optional<String> uri, String lock) {

  private static final String HERE = "demo";

  /** For one question: the first one of all may have to wait for a busy server. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** A store that is nowhere but in this process. */
  static DemoStore here() {
    return new DemoStore(Optional.empty(), "jar");
  }

  /** A store, and a name in it that no other demo uses. */
  static DemoStore at(String uri) {
    long random = World.system().secret();
    return new DemoStore(
        Optional.of(uri), String.format(Locale.ROOT, "demo/jar-%08x", (int) random));
  }

  /** Connects; the store need not be reachable yet. */
  Holdfast open(HoldfastOptions options, World world) {
    if (uri.isPresent()) {
      return Holdfast.connect(uri.get(), options, world);
    }
    // The store's clock is its own: it goes on when a machine is stopped.
    World store = World.system();
    return Holdfast.open(
        MemoryEngine.shared(HERE, store::nanoTime, store::epochMicros), options, world);
  }

  /** What an operator sees of the lock: its line, or nothing; nothing where operators see none. */
  List<EngineInspector.LineView> lines(Holdfast holdfast) throws EngineException {
    Optional<EngineInspector> inspector = holdfast.inspector();
    return inspector.isEmpty()
        ? List.of()
        : inspector.get().list("default", lock, "", EngineInspector.MAX_PAGE);
  }

  /**
   * Whether locks there live with a client's session, which a stopped thread does not end. Takes a
   * lock and gives it back, so that a store that does not reply, or does not want us, is found
   * before the story begins, with its own words.
   */
  boolean keepsSessions() throws InterruptedException {
    if (uri.isEmpty()) {
      return false;
    }
    HoldfastOptions patient = HoldfastOptions.DEFAULTS.withOperationTimeout(PATIENCE);
    try (Holdfast holdfast = open(patient, World.system())) {
      holdfast.lock(lock).tryAcquire().ifPresent(Hold::release);
      return holdfast.traits().sessionLease().isPresent();
    }
  }

  /** The address without what could be a secret. */
  static String shown(Holdfast holdfast) {
    return holdfast.traits().store();
  }
}
