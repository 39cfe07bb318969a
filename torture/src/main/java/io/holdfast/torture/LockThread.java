package io.holdfast.torture;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.LockLostException;
import io.holdfast.LockRefusedException;
import io.holdfast.LockTimeoutException;
import io.holdfast.Loss;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.OverloadedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker's thread that acquires a random lock, uses it, releases it, and repeats. While it holds
 * the lock it checks its belief and writes to the guarded resource.
 */
final class LockThread extends Thread {
  private static final long LOG_EVERY = TimeUnit.MILLISECONDS.toNanos(10);

  /** Between two looks, at most. */
  private static final int LOOK_MILLIS = 5;

  /** How often, in tenths of a second of running time, it looks for a notice of a loss. */
  private static final int NOTICE_LOOKS = 50;

  private static final AtomicBoolean STUCK = new AtomicBoolean();

  private final Worker.Orders orders;
  private final Holdfast any;
  private final Holdfast fifo;
  private final BeliefLog log;
  private final Random random;
  private final Map<TestedLock, Long> firstTokens = new HashMap<>();
  private volatile boolean finishing;

  LockThread(Worker.Orders orders, Holdfast holdfast, BeliefLog log, long seed, int index) {
    super("lock-thread-" + index);
    this.orders = orders;
    this.any = holdfast;
    this.fifo = holdfast.with(o -> o.withOrder(Order.FIFO));
    this.log = log;
    this.random = new Random(seed);
    setDaemon(true);
  }

  /** Ends after the round that it is in. */
  void finish() {
    finishing = true;
  }

  @Override
  public void run() {
    try (GuardedWriter writer = new GuardedWriter(orders.resource())) {
      while (!finishing) {
        round(writer);
        pause(random.nextInt(40));
      }
    } catch (IOException | RuntimeException | Error e) {
      log.trouble(getName() + " ended with " + e);
    }
  }

  private void round(GuardedWriter writer) throws IOException {
    TestedLock testedLock = TestedLock.ALL.get(random.nextInt(TestedLock.ALL.size()));
    boolean exclusive =
        switch (testedLock.kind()) {
          case ANY, FIFO -> true;
          case READ_WRITE -> random.nextInt(5) < 2;
          case SEMAPHORE -> false;
        };
    if (orders.planted().contains(PlantedBug.OWNER) && random.nextInt(10) == 0) {
      takeAway(testedLock);
    }
    int way = random.nextInt(100);
    Duration wait =
        way < 20
            ? Duration.ZERO
            : Duration.ofMillis(20 + random.nextInt((int) orders.longestWait().toMillis() - 20));
    long call = log.called(testedLock, exclusive, wait.toMillis());
    try {
      Optional<Hold> hold = ask(lock(testedLock, exclusive), way, wait);
      long granted = MachineClock.nanos();
      if (hold.isEmpty()) {
        log.notGranted(call, "busy");
        return;
      }
      hold(call, testedLock, exclusive, hold.get(), granted, writer);
    } catch (InterruptedException e) {
      log.notGranted(call, "interrupted");
    } catch (LockTimeoutException e) {
      log.notGranted(call, "busy");
    } catch (StoreUnavailableException e) {
      log.notGranted(call, "unavailable");
    } catch (OutcomeUnknownException e) {
      log.notGranted(call, "unknown");
    } catch (OverloadedException e) {
      log.notGranted(call, "overloaded");
    } catch (LockRefusedException e) {
      log.notGranted(call, "refused");
      log.trouble("refused: " + e.getMessage());
    }
  }

  private DistributedLock lock(TestedLock testedLock, boolean exclusive) {
    return switch (testedLock.kind()) {
      case ANY -> any.lock(testedLock.name());
      case FIFO -> fifo.lock(testedLock.name());
      case READ_WRITE ->
          exclusive
              ? any.readWriteLock(testedLock.name()).writeLock()
              : any.readWriteLock(testedLock.name()).readLock();
      case SEMAPHORE -> any.semaphore(testedLock.name(), testedLock.capacity());
    };
  }

  /** One of the ways to ask; ends without a hold by every way out that there is. */
  private Optional<Hold> ask(DistributedLock lock, int way, Duration wait)
      throws InterruptedException {
    if (orders.planted().contains(PlantedBug.WAIT) && STUCK.compareAndSet(false, true)) {
      new CountDownLatch(1).await();
    }
    if (way < 20) {
      return lock.tryAcquire();
    }
    if (way < 65) {
      return lock.tryAcquire(wait);
    }
    if (way < 80) {
      return Optional.of(lock.acquire(wait));
    }
    if (way < 90) {
      return cancelled(lock.acquireAsync(wait), wait);
    }
    try (Interrupter ignored = new Interrupter(this, random.nextInt((int) wait.toMillis()))) {
      return lock.tryAcquire(wait);
    }
  }

  private Optional<Hold> cancelled(CompletableFuture<Hold> future, Duration wait)
      throws InterruptedException {
    try {
      return Optional.of(future.get(random.nextInt((int) wait.toMillis()), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      if (future.cancel(false)) {
        return Optional.empty();
      }
    } catch (ExecutionException e) {
      throw asHoldfast(e);
    }
    // It was completed while it was being cancelled.
    try {
      return Optional.of(future.get());
    } catch (ExecutionException e) {
      throw asHoldfast(e);
    }
  }

  private void hold(
      long call,
      TestedLock testedLock,
      boolean exclusive,
      Hold hold,
      long granted,
      GuardedWriter writer)
      throws IOException {
    long token = shown(testedLock, exclusive, hold.token());
    log.granted(call, granted, token, hold.id());
    CompletableFuture<Loss> told = new CompletableFuture<>();
    hold.onLoss(
        loss -> {
          log.told(call, loss.cause().name());
          told.complete(loss);
        });
    // Counts looks instead of time, so that it goes on where it was after a stop.
    int looks = looks();
    long last = 0;
    long logged = 0;
    boolean lost = false;
    do {
      // Read before the look: if the look is true, it was still held at this time.
      long before = MachineClock.nanos();
      if (!believes(hold)) {
        lost = true;
        break;
      }
      last = before;
      if (before - logged >= LOG_EVERY) {
        log.believed(call, before);
        logged = before;
      }
      if (random.nextInt(4) == 0
          && !writer.write(testedLock.name(), exclusive, token, hold.id())
          && believes(hold)) {
        log.refusedWhileHeld(call);
      }
      pause(1 + random.nextInt(LOOK_MILLIS));
    } while (--looks > 0 && !finishing);
    if (last != logged) {
      log.believed(call, last);
    }
    if (lost) {
      log.disbelieved(call);
      // A program that does not look writes now; only the guard is left to stop it.
      boolean ignored = writer.write(testedLock.name(), exclusive, token, hold.id());
      awaitNotice(call, hold, told);
    }
    giveBack(call, hold);
  }

  private boolean believes(Hold hold) {
    return hold.isHeld() || orders.planted().contains(PlantedBug.DEADLINE);
  }

  private long shown(TestedLock testedLock, boolean exclusive, long token) {
    long first = firstTokens.computeIfAbsent(testedLock, c -> token);
    boolean again =
        exclusive && orders.planted().contains(PlantedBug.TOKENS) && random.nextInt(10) == 0;
    return again ? first : token;
  }

  private int looks() {
    int draw = random.nextInt(100);
    long lease = orders.lease().toMillis();
    long millis =
        draw < 88
            ? random.nextInt(40)
            : draw < 97 ? random.nextInt(300) : lease / 2 + random.nextInt((int) lease);
    return (int) (1 + 2 * millis / LOOK_MILLIS);
  }

  /**
   * A hold that is in doubt after a suspension is held again when the store has confirmed it; any
   * other one is lost, and that is reported. Counts looks instead of time, so that a stop of this
   * process does not count.
   */
  private void awaitNotice(long call, Hold hold, CompletableFuture<Loss> told) {
    for (int i = 0; i < NOTICE_LOOKS && !told.isDone() && !hold.isHeld(); i++) {
      pause(100);
    }
    if (!told.isDone() && !hold.isHeld()) {
      log.trouble("the loss of call " + call + " was not reported within 5 s of running time");
    }
  }

  private void giveBack(long call, Hold hold) {
    log.releasing(call);
    String outcome;
    if (random.nextBoolean()) {
      outcome = hold.release().name();
    } else {
      try {
        hold.close();
        outcome = "closed";
      } catch (LockLostException e) {
        outcome = "lost";
      }
    }
    log.released(call, outcome);
  }

  /** Does what a release without an owner check does: evicts the current holder. */
  private void takeAway(TestedLock testedLock) {
    try {
      EngineInspector inspector = any.inspector().orElseThrow();
      Resource resource = new Resource(orders.namespace(), testedLock.name());
      for (TicketView ticket :
          inspector.show(resource).map(EngineInspector.LineView::tickets).orElseThrow()) {
        if (ticket.state() == TicketView.State.HOLDING) {
          Object ignored = inspector.evict(resource, ticket.token(), "planted");
        }
      }
    } catch (EngineException | HoldfastException | NoSuchElementException e) {
      // Nobody holds it, or the store is unreachable; the next round tries again.
    }
  }

  private static HoldfastException asHoldfast(ExecutionException e) {
    if (e.getCause() instanceof HoldfastException known) {
      return known;
    }
    throw new IllegalStateException(e.getCause());
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
