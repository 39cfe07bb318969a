package io.holdfast;

import java.util.concurrent.Callable;

/** A thread that makes one call, and the result of the call. */
public final class Caller<T> {

  private static final long MOST_MILLIS = 20_000;

  private final Thread thread;
  private volatile T value;
  private volatile Throwable failure;
  private volatile boolean flagged;

  private Caller(Callable<T> body) {
    thread = new Thread(() -> run(body), "caller");
    thread.setDaemon(true);
  }

  public static <T> Caller<T> start(Callable<T> body) {
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

  public Thread thread() {
    return thread;
  }

  public boolean isDone() {
    return !thread.isAlive();
  }

  Caller<T> join() {
    try {
      thread.join(MOST_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError("the test itself was interrupted", e);
    }
    if (thread.isAlive()) {
      AssertionError stuck = new AssertionError("the caller did not return within 20 s");
      stuck.setStackTrace(thread.getStackTrace());
      throw stuck;
    }
    return this;
  }

  /** Returns what the call returned; throws its failure. */
  public T result() {
    join();
    if (failure != null) {
      throw new AssertionError("the caller failed", failure);
    }
    return value;
  }

  /** Returns what the call threw, or null. */
  public Throwable failure() {
    return join().failure;
  }

  /** Returns whether its interrupt flag was set when the call returned. */
  boolean cameBackInterrupted() {
    return join().flagged;
  }
}
