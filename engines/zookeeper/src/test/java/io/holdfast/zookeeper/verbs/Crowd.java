package io.holdfast.zookeeper.verbs;

import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.Engines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Many that take a permit of one semaphore each while somebody resizes it. Whoever asked after a
 * resize was answered, and got in before the next one began, must not be in with more than that
 * resize allows; and its token is higher than those of all that were in before it asked. One is in
 * from the beginning to the end, so that the line never ends and begins anew.
 */
final class Crowd implements AutoCloseable {

  private static final Resource RESOURCE = new Resource("default", "crowd");
  private static final int MOST = 5;

  /** A size that stands. */
  private record Size(int number, int permits) {}

  /** What was known when somebody asked. */
  private record Before(@Nullable Size size, long highest) {}

  private final List<LockEngine> engines = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger grants = new AtomicInteger();
  private final AtomicInteger judged = new AtomicInteger();
  private final AtomicInteger resizes = new AtomicInteger();

  private final Object books = new Object();

  /** How many are in. */
  private int in = 1;

  /** The highest token so far. */
  private long highest;

  /** Null while a resize is under way. */
  private @Nullable Size size;

  private volatile boolean over;

  Crowd(String uri, int clients, int threadsEach) throws EngineException {
    for (int i = 0; i < clients; i++) {
      LockEngine engine = Engines.patient(uri);
      engines.add(engine);
      for (int t = 0; t < threadsEach; t++) {
        LockEngine lane = engine.lane();
        threads.add(new Thread(() -> run(() -> take(lane)), "crowd-" + i + "-" + t));
      }
    }
    LockEngine lane = engines.get(0).lane();
    lane.attempt(ticket(MOST), () -> {});
    resize(lane, MOST - 1);
    threads.add(new Thread(() -> run(() -> resizes(lane)), "crowd-resizes"));
  }

  /** What a thread does over and over. */
  private interface Turn {
    void take() throws EngineException, InterruptedException;
  }

  private void run(Turn turn) {
    try {
      while (!over) {
        turn.take();
      }
    } catch (EngineException | InterruptedException | RuntimeException e) {
      faults.add(Thread.currentThread().getName() + ": " + e);
      over = true;
    }
  }

  void play(Duration time) throws InterruptedException {
    threads.forEach(Thread::start);
    long end = System.nanoTime() + time.toNanos();
    Await.until("all had their turns", time.plusSeconds(30), () -> over || System.nanoTime() > end);
    over = true;
    for (Thread thread : threads) {
      thread.join(30_000);
    }
  }

  private Ticket ticket(int capacity) {
    return SmallerSemaphoreIT.ticket(RESOURCE, capacity, 1, numbers.incrementAndGet());
  }

  private Before before() {
    synchronized (books) {
      return new Before(size, highest);
    }
  }

  private void take(LockEngine lane) throws EngineException, InterruptedException {
    Semaphore woken = new Semaphore(0);
    Before before = before();
    Ticket ticket = ticket(before.size == null ? MOST : before.size.permits);
    Standing standing;
    try {
      standing = lane.attempt(ticket, woken::release);
      while (standing instanceof Standing.Waiting) {
        boolean unused = woken.tryAcquire(100, TimeUnit.MILLISECONDS);
        before = before();
        standing = lane.attempt(ticket, woken::release);
      }
    } catch (EngineException.Refused e) {
      // Another size stands meanwhile.
      return;
    }
    enters(before, ((Standing.Granted) standing).token());
    boolean unused = woken.tryAcquire(random(3), TimeUnit.MILLISECONDS);
    synchronized (books) {
      in--;
    }
    lane.leave(ticket, false);
  }

  private static int random(int bound) {
    return ThreadLocalRandom.current().nextInt(bound);
  }

  private void enters(Before before, long token) {
    synchronized (books) {
      in++;
      grants.incrementAndGet();
      if (before.size != null && before.size.equals(size)) {
        judged.incrementAndGet();
        if (in > before.size.permits) {
          faults.add(in + " are in, and the size is " + before.size.permits);
        }
      }
      if (token <= before.highest) {
        faults.add("one got in with " + token + ", and there had been " + before.highest);
      }
      highest = Math.max(highest, token);
    }
  }

  private void resize(LockEngine lane, int permits) throws EngineException {
    synchronized (books) {
      size = null;
    }
    boolean done = lane.resize(ticket(permits));
    synchronized (books) {
      size = done ? new Size(resizes.incrementAndGet(), permits) : null;
    }
  }

  private void resizes(LockEngine lane) throws EngineException, InterruptedException {
    resize(lane, 2 + random(MOST - 1));
    boolean unused = new Semaphore(0).tryAcquire(random(120), TimeUnit.MILLISECONDS);
  }

  List<String> faults() {
    return List.copyOf(faults);
  }

  int grants() {
    return grants.get();
  }

  int judged() {
    return judged.get();
  }

  int resizes() {
    return resizes.get();
  }

  @Override
  public void close() {
    over = true;
    engines.forEach(LockEngine::close);
  }
}
