package io.holdfast.cli.commands;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command clean up after Ctrl-C or TERM.
 *
 * <p>Interrupts the thread that created this; the program ends when that thread has closed this, or
 * after some seconds.
 */
public final class CleanupOnSignal implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Thread worker = Thread.currentThread();
  private final CountDownLatch clean = new CountDownLatch(1);
  private final Thread hook = new Thread(this::end, "holdfast-clean-end");

  public CleanupOnSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void end() {
    worker.interrupt();
    try {
      boolean ignored = clean.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** To be called when nothing is left to clean up. */
  @Override
  public void close() {
    clean.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending: the hook has seen that it is clean.
    }
  }
}
