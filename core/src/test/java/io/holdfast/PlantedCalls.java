package io.holdfast;

import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Makes every call that core must not make; never run, only read by {@link ForbiddenCallsTest}. */
final class PlantedCalls {

  private PlantedCalls() {}

  static void sleeps() throws InterruptedException {
    Thread.sleep(1);
  }

  static long readsClocks() {
    LongSupplier reference = System::nanoTime;
    return System.nanoTime() + System.currentTimeMillis() + reference.getAsLong();
  }

  static String readsTheWallClock() {
    return Instant.now() + " " + Clock.systemUTC();
  }

  static void startsThreads() {
    new Thread(() -> {}).start();
    new Timer(true).cancel();
    Executors.newCachedThreadPool().shutdown();
  }

  static CompletableFuture<Void> usesTheCommonPool() {
    return CompletableFuture.runAsync(() -> {}).thenRunAsync(() -> {});
  }

  static double drawsLots() {
    return Math.random() + ThreadLocalRandom.current().nextInt() + new Random().nextInt();
  }

  static void parks() {
    LockSupport.parkNanos(1);
    LockSupport.parkUntil(1);
  }

  /** Allowed: the executor is given. */
  static CompletableFuture<Void> usesAGivenExecutor() {
    return CompletableFuture.runAsync(() -> {}, Runnable::run);
  }
}
