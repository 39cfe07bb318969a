package io.holdfast;

import java.util.concurrent.Callable;

/** A thread of its own that does one thing, and what came of it. */
final class Caller<T> {

  private static final long MOST_MILLIS = 20_000;

  private final Thread thread;
  private volatile T value;
  private volatile Throwable failure;
  private volatile boolean flagged;

  private Caller(Callable<T> body) {
    thread = new Thread(() -> run(body), "caller");
    thread.setDaemon(true);
  }

  static <T> Caller<T> start(Callable<T> body) {
    Caller<T> caller = new Caller<>(body);
    caller.thread.start();
    return caller;
  }

  @SuppressWarnings("CatchAndPrintStackTrace")
  private void run(Callable<T> body) {
    try {
      value = body.call();
    } catch (Throwable e) {
      failure = e;
    }
    flagged = Thread.currentThread().isInterrupted();
  }

  Thread thread() {
    return thread;
  }

  boolean isDone() {
    return !thread.isAlive();
  }

  Caller<T> join() {
    try {
      thread.join(MOST_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError("the test itself was interrupted", e);
    }
    if (thread.isAlive()) {
      AssertionError stuck = new AssertionError("the caller did not come back within 20 s");
      stuck.setStackTrace(thread.getStackTrace());
      throw stuck;
    }
    return this;
  }

  /** What it answered; a failure is thrown. */
  T result() {
    join();
    if (failure != null) {
      throw new AssertionError("the caller failed", failure);
    }
    return value;
  }

  /** What it threw, or null. */
  Throwable failure() {
    return join().failure;
  }

  /** Whether its interrupt flag was set when it came back. */
  boolean cameBackInterrupted() {
    return join().flagged;
  }
}
