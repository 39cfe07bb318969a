package io.holdfast.tck;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The way between one client and its store, which all lanes of the client share. */
final class Straits {

  final FaultPlan plan = new FaultPlan();
  final VerbLog log = new VerbLog();

  private final LockEngine store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Verb> late = new ArrayList<>();
  private boolean hung;
  private volatile boolean wakesDropped;

  Straits(LockEngine store) {
    this.store = store;
  }

  void dropWakes(boolean drop) {
    wakesDropped = drop;
  }

  /** A signal that gets lost while wakes are dropped or the line is cut. */
  HoldSignal through(HoldSignal signal) {
    return resource -> pass(() -> signal.changed(resource));
  }

  /** A wake that gets lost while wakes are dropped or the line is cut. */
  Wake through(Wake wake) {
    return new Wake() {
      @Override
      public void wake() {
        pass(wake::wake);
      }

      @Override
      public void granted(Standing.Granted granted) {
        pass(() -> wake.granted(granted));
      }
    };
  }

  private void pass(Runnable signal) {
    if (!wakesDropped && !plan.isCut()) {
      signal.run();
    }
  }

  void hang(boolean now) {
    lock.lock();
    try {
      hung = now;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Those who wait here look again whether their lane was closed. */
  void laneClosed() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Blocks while the store hangs; false when the lane was closed meanwhile. */
  boolean passes(FaultyLane lane) {
    lock.lock();
    try {
      while (hung && !lane.isClosed()) {
        changed.awaitUninterruptibly();
      }
      return !hung;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps a verb back until {@link #deliverLate()}. */
  void keepBack(Verb verb) {
    lock.lock();
    try {
      late.add(verb);
    } finally {
      lock.unlock();
    }
  }

  /** Lets what was kept back reach the store; nobody hears the answers. */
  int deliverLate() {
    List<Verb> verbs;
    lock.lock();
    try {
      verbs = List.copyOf(late);
      late.clear();
    } finally {
      lock.unlock();
    }
    if (!verbs.isEmpty()) {
      deliver(verbs);
    }
    return verbs.size();
  }

  private void deliver(List<Verb> verbs) {
    LockEngine lane;
    try {
      lane = store.lane();
    } catch (EngineException e) {
      throw new AssertionError("no lane for late verbs", e);
    }
    try {
      verbs.forEach(verb -> Copied.unheard(verb, log.reaches(verb)).runOn(lane));
    } finally {
      if (lane != store) {
        lane.close();
      }
    }
  }
}
