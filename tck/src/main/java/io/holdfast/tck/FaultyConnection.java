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

/** The faults between one client and its store, shared by all lanes of the client. */
final class FaultyConnection {

  final FaultPlan plan = new FaultPlan();
  final VerbLog log = new VerbLog();

  private final LockEngine store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Verb> late = new ArrayList<>();
  private boolean hung;
  private volatile boolean wakesDropped;

  FaultyConnection(LockEngine store) {
    this.store = store;
  }

  void dropWakes(boolean drop) {
    wakesDropped = drop;
  }

  /** Wraps a signal that is lost while wakes are dropped or the client is cut off. */
  HoldSignal filtered(HoldSignal signal) {
    return resource -> deliver(() -> signal.changed(resource));
  }

  /** Wraps a wake that is lost while wakes are dropped or the client is cut off. */
  Wake filtered(Wake wake) {
    return new Wake() {
      @Override
      public void wake() {
        deliver(wake::wake);
      }

      @Override
      public void granted(Standing.Granted granted) {
        deliver(() -> wake.granted(granted));
      }
    };
  }

  private void deliver(Runnable signal) {
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

  /** Lets blocked verbs check again whether their lane was closed. */
  void laneClosed() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Blocks while the store hangs; returns false if the lane was closed in the meantime. */
  boolean awaitPassage(FaultyLane lane) {
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

  /** Delays a verb until {@link #deliverLate()}. */
  void delay(Verb verb) {
    lock.lock();
    try {
      late.add(verb);
    } finally {
      lock.unlock();
    }
  }

  /** Delivers the delayed verbs to the store and drops their results. */
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
      verbs.forEach(verb -> VerbCopy.unanswered(verb, log.reaches(verb)).runOn(lane));
    } finally {
      if (lane != store) {
        lane.close();
      }
    }
  }
}
