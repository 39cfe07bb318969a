package io.holdfast.cli.demo;

import io.holdfast.Hold;
import io.holdfast.HoldfastListener;
import io.holdfast.Loss;
import java.util.ArrayList;
import java.util.List;

/** Checks tokens and overlaps over all holds of the run, and counts events. */
final class OverlapChecker {

  /*
   * Beliefs that overlap: a hold never becomes held again, so two holds are ever held at the same
   * time if and only if the earlier one is still held when the later one begins. That is when it is
   * looked at, once for each pair.
   */

  private final List<Hold> holds = new ArrayList<>();
  private final List<Loss> told = new ArrayList<>();
  private long newest;
  private int overlaps;
  private int notRising;
  private int grants;
  private int handedOver;
  private int gaveUp;
  private int stillInLine;
  private int lossEvents;

  /** Counts the events that the clients report. */
  synchronized void hear(HoldfastListener.Event event) {
    if (event instanceof HoldfastListener.Acquired acquired) {
      grants++;
      handedOver += acquired.handedOver() ? 1 : 0;
    } else if (event instanceof HoldfastListener.NotAcquired) {
      gaveUp++;
    } else if (event instanceof HoldfastListener.Lost) {
      lossEvents++;
    }
  }

  /** Records a grant. */
  synchronized void granted(Hold hold) {
    for (Hold earlier : holds) {
      if (earlier.isHeld() && hold.isHeld()) {
        overlaps++;
      }
    }
    holds.add(hold);
    if (hold.token() <= newest) {
      notRising++;
    }
    newest = Math.max(newest, hold.token());
  }

  /** Records that a holder was notified of its loss. */
  synchronized void told(Loss loss) {
    told.add(loss);
  }

  /** Records how many tickets wait in the store after a waiter gave up. */
  synchronized void stillInLine(int waiting) {
    stillInLine += waiting;
  }

  synchronized int grants() {
    return grants;
  }

  /** The number of recorded holds. */
  synchronized int holds() {
    return holds.size();
  }

  synchronized int handedOver() {
    return handedOver;
  }

  synchronized int gaveUp() {
    return gaveUp;
  }

  synchronized int stillInLine() {
    return stillInLine;
  }

  synchronized int overlaps() {
    return overlaps;
  }

  synchronized boolean tokensRose() {
    return notRising == 0;
  }

  /** The number of holds that were lost. */
  synchronized int losses() {
    return (int) holds.stream().filter(hold -> hold.loss().isPresent()).count();
  }

  synchronized int lossEvents() {
    return lossEvents;
  }

  synchronized List<Loss> lossesTold() {
    return List.copyOf(told);
  }
}
