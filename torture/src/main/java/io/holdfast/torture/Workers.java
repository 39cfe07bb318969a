package io.holdfast.torture;

import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.clients.JvmSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The worker processes; a new one takes the place of a killed one. */
final class Workers implements AutoCloseable {
  private static final int HEAP = 160;

  /** What is kept of a worker's output. */
  private static final int OUTPUT_LINES = 2_000;

  /** A run that has to replace more than these was not started properly. */
  private static final int MOST_REPLACED = 5;

  /** The settings that all workers share. */
  record Plan(
      Path folder,
      Path resource,
      String namespace,
      String uri,
      Duration lease,
      int workers,
      int threads,
      long seed,
      Set<PlantedBug> planted) {}

  /** One process: its log, and when it was started and killed. */
  static final class Life {
    final LogReader log;
    final long launched;

    /** When it was killed or had ended; 0 while it runs. */
    volatile long over;

    /** Whether it was killed. */
    volatile boolean killed;

    Life(LogReader log, long launched) {
      this.log = log;
      this.launched = launched;
    }
  }

  private static final class Slot {
    @Nullable ClientJvm jvm;
    @Nullable Life life;
    int lives;
    boolean stopped;
    @Nullable Path clock;
    long stoppedAt;
    long stoodStill;
  }

  private final Plan plan;
  private final Network network;
  private final Optional<Suspensions> suspensions;
  private final List<Slot> slots = new ArrayList<>();
  private final List<Life> lives = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  private int replaced;

  /**
   * Creates a group without workers.
   *
   * @param suspensions what suspends them, if the machine can do that
   */
  Workers(Plan plan, Network network, Optional<Suspensions> suspensions) {
    this.plan = plan;
    this.network = network;
    this.suspensions = suspensions;
    for (int i = 0; i < plan.workers; i++) {
      slots.add(new Slot());
    }
  }

  int size() {
    return slots.size();
  }

  /** Starts a process in a place. */
  void start(int worker) {
    Slot slot = slots.get(worker);
    synchronized (slot) {
      String name = "worker-" + worker + "." + slot.lives++;
      Path log = plan.folder.resolve(name + ".log");
      Worker.Orders orders =
          new Worker.Orders(
              plan.namespace,
              plan.seed * 1_000_003 + worker * 1_009L + slot.lives,
              plan.lease,
              plan.threads,
              log,
              plan.resource,
              plan.planted);
      Life life = new Life(new LogReader(log, name, worker), System.nanoTime());
      slot.jvm =
          ClientJvm.start(
              JvmSpec.of(name, Worker.class, orders.arguments())
                  .withHeapMegabytes(HEAP)
                  .withEnvironment(environment(worker, slot, name))
                  .withPrefix(network.prefix(worker).toArray(String[]::new)));
      slot.life = life;
      slot.stopped = false;
      synchronized (lives) {
        lives.add(life);
      }
    }
  }

  private Map<String, String> environment(int worker, Slot slot, String name) {
    Map<String, String> variables = new HashMap<>();
    variables.put(Worker.STORE, network.uri(worker, plan.uri));
    if (suspensions.isPresent()) {
      slot.clock = plan.folder.resolve(name + ".clock");
      slot.stoodStill = 0;
      Suspensions.write(slot.clock, 0);
      variables.putAll(suspensions.get().environment(slot.clock));
    }
    return variables;
  }

  /** Ends a process by SIGKILL. */
  void kill(int worker) {
    Slot slot = slots.get(worker);
    synchronized (slot) {
      end(slot, true);
    }
  }

  private void end(Slot slot, boolean killed) {
    ClientJvm jvm = slot.jvm;
    Life life = slot.life;
    if (jvm == null || life == null) {
      return;
    }
    jvm.kill9();
    life.over = System.nanoTime();
    life.killed = killed;
    keepOutput(jvm);
    jvm.close();
    slot.jvm = null;
    slot.life = null;
  }

  void pause(int worker) {
    Slot slot = slots.get(worker);
    synchronized (slot) {
      if (slot.jvm != null) {
        slot.jvm.pause();
        slot.stoppedAt = System.nanoTime();
        slot.stopped = true;
      }
    }
  }

  void resume(int worker) {
    Slot slot = slots.get(worker);
    synchronized (slot) {
      if (slot.jvm != null && slot.stopped) {
        slot.jvm.resume();
        slot.stopped = false;
      }
    }
  }

  /** Whether {@link #resumeAsSuspended} can be used. */
  boolean canSuspend() {
    return suspensions.isPresent();
  }

  /** Lets it go on as if its host had been suspended since {@link #pause}. */
  void resumeAsSuspended(int worker) {
    Slot slot = slots.get(worker);
    synchronized (slot) {
      if (slot.jvm != null && slot.stopped && slot.clock != null) {
        // A little less than the whole stop, so that its clock never goes back.
        slot.stoodStill += System.nanoTime() - slot.stoppedAt;
        Suspensions.write(slot.clock, slot.stoodStill);
      }
    }
    resume(worker);
  }

  /** Replaces processes that have ended by themselves, which is a finding each. */
  void replaceEnded() {
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      synchronized (slot) {
        if (slot.jvm != null && !slot.jvm.isRunning()) {
          List<String> lines = slot.jvm.lines();
          String last = lines.isEmpty() ? "it printed nothing" : lines.get(lines.size() - 1);
          synchronized (troubles) {
            troubles.add(slot.jvm.name() + " ended by itself: " + last);
          }
          end(slot, false);
          if (++replaced > MOST_REPLACED) {
            throw new IllegalStateException(
                "workers end by themselves; the last one said: " + last);
          }
          start(i);
        }
      }
    }
  }

  /** Lets all of them end in order. */
  void stop(Duration bound) {
    for (Slot slot : slots) {
      synchronized (slot) {
        if (slot.jvm != null && slot.jvm.isRunning()) {
          slot.jvm.say("stop");
        }
      }
    }
    long end = System.nanoTime() + bound.toNanos();
    for (Slot slot : slots) {
      synchronized (slot) {
        if (slot.jvm == null) {
          continue;
        }
        try {
          int code = slot.jvm.awaitExit(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
          if (code != 0) {
            trouble(slot.jvm.name() + " ended with code " + code);
          }
        } catch (AssertionError e) {
          trouble(slot.jvm.name() + " did not end within " + bound.toSeconds() + " s");
        }
        end(slot, false);
      }
    }
  }

  private void trouble(String text) {
    synchronized (troubles) {
      troubles.add(text);
    }
  }

  /** All processes that there were. */
  List<Life> lives() {
    synchronized (lives) {
      return List.copyOf(lives);
    }
  }

  /** What went wrong with the processes themselves. */
  List<String> troubles() {
    synchronized (troubles) {
      return List.copyOf(troubles);
    }
  }

  private void keepOutput(ClientJvm jvm) {
    try {
      List<String> lines = jvm.lines();
      Files.write(
          plan.folder.resolve(jvm.name() + ".out"),
          lines.subList(Math.max(0, lines.size() - OUTPUT_LINES), lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills what is left of them. */
  @Override
  public void close() {
    for (Slot slot : slots) {
      synchronized (slot) {
        end(slot, true);
      }
    }
  }
}
