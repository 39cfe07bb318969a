package io.holdfast.runtime.time;

import io.holdfast.World;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The {@link World} of the JDK: its clocks, threads and randomness, used nowhere else in core. */
public final class SystemWorld implements World {

  public static final SystemWorld INSTANCE = new SystemWorld();

  private static final long IDLE_SECONDS = 10;

  private final SecureRandom random = new SecureRandom();
  private final ScheduledThreadPoolExecutor timer;
  private final ThreadPoolExecutor callbacks;

  private SystemWorld() {
    timer = new ScheduledThreadPoolExecutor(1, daemons("holdfast-timer"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    callbacks =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons("holdfast-callback"));
  }

  private static ThreadFactory daemons(String name) {
    AtomicLong number = new AtomicLong();
    return body -> daemon(name + "-" + number.incrementAndGet(), body);
  }

  private static Thread daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long epochMicros() {
    return System.currentTimeMillis() * 1000;
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    ScheduledFuture<?> scheduled = timer.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(/* mayInterruptIfRunning= */ false);
  }

  @Override
  public void park(Object blocker, long nanos) {
    if (nanos == Long.MAX_VALUE) {
      LockSupport.park(blocker);
    } else {
      LockSupport.parkNanos(blocker, nanos);
    }
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // A hint, not an order: nothing breaks without it.
  public void letOthersRun() {
    Thread.yield();
  }

  @Override
  public Executor callbacks() {
    return callbacks;
  }

  @Override
  public Thread start(String name, Runnable body) {
    Thread thread = daemon(name, body);
    thread.start();
    return thread;
  }

  @Override
  public long secret() {
    return random.nextLong();
  }
}
