package io.holdfast.torture;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Interrupts a thread once after a while, unless it was closed before. */
final class Interrupter implements AutoCloseable {
  private final Thread target;
  private final Thread thread;
  private boolean over;

  Interrupter(Thread target, long afterMillis) {
    this.target = target;
    long at = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(afterMillis);
    thread = new Thread(() -> interruptAt(at), "interrupter");
    thread.setDaemon(true);
    thread.start();
  }

  private void interruptAt(long at) {
    for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (isOver()) {
        return;
      }
    }
    synchronized (this) {
      if (!over) {
        target.interrupt();
      }
    }
  }

  private synchronized boolean isOver() {
    return over;
  }

  /** No interrupt comes after this, and none is pending. */
  @Override
  public synchronized void close() {
    over = true;
    LockSupport.unpark(thread);
    boolean ignored = Thread.interrupted();
  }
}
