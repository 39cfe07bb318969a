package io.holdfast.examples.demo;

import io.holdfast.Hold;
import io.holdfast.HoldfastListener;
import io.holdfast.Loss;
import java.util.ArrayList;
import java.util.List;

/** Watches the whole run from outside and keeps count; nobody in it can see this much. */
final class Referee {

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

  /** Hears what the clients themselves report. */
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

  /** Somebody is in. */
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

  /** Somebody was told of its loss. */
  synchronized void told(Loss loss) {
    told.add(loss);
  }

  /** Somebody gave up, and so many wait in the store afterwards. */
  synchronized void stillInLine(int waiting) {
    stillInLine += waiting;
  }

  synchronized int grants() {
    return grants;
  }

  /** Holds that were seen begin. */
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

  /** Holds that ended without being given back. */
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
