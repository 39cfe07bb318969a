package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Metrics without a metrics library: counts what happens, by the template of the name. */
public final class CountingEvents {

  private CountingEvents() {}

  // region docs
  /** Counts events by what they are and by tag; a raw name is never a tag. */
  static final class Counts implements HoldfastListener {
    final ConcurrentSkipListMap<String, LongAdder> counts = new ConcurrentSkipListMap<>();

    @Override
    public void on(Event event) { // quick, and never blocking: it runs where the event happens
      String key = event.getClass().getSimpleName() + "{name=" + event.tag() + "}";
      counts.computeIfAbsent(key, k -> new LongAdder()).increment();
    }
  }

  // endregion

  public static void main(String[] args) throws InterruptedException {
    Counts counts = new Counts();
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withListener(counts);
    try (Holdfast holdfast = Holdfast.connect("memory:", options)) {
      for (int order = 1; order <= 3; order++) {
        try (Hold hold = holdfast.lock("orders/{}", order).acquire()) {
          holdfast.lock("orders/{}", order).tryAcquire(); // busy
          hold.ensureHeld();
        }
      }
      holdfast.lock("plain").acquire().release();
    }
    new TreeMap<>(counts.counts).forEach((key, count) -> System.out.println(key + " " + count));
  }
}
