package io.holdfast.spring;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;

/** What tests do to a store behind the back of a program. */
final class Operators {

  static final Duration BOUND = Duration.ofSeconds(10);

  private Operators() {}

  /** Takes a hold away, and returns when its holder knows. */
  static void takeAway(Holdfast holdfast, Hold hold) {
    evict(holdfast, hold);
    Await.until("the loss of " + hold.name(), BOUND, () -> !hold.isHeld());
  }

  /** Takes a hold away; its holder may not know yet. */
  static void evict(Holdfast holdfast, Hold hold) {
    try {
      EngineInspector inspector = holdfast.inspector().orElseThrow();
      inspector.evict(new Resource(hold.namespace(), hold.name()), hold.token(), "a test");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the names that are in the store, in any state. */
  static List<String> names(Holdfast holdfast) {
    try {
      return holdfast
          .inspector()
          .orElseThrow()
          .list(holdfast.options().namespace(), "", "", 1000)
          .stream()
          .filter(line -> !line.tickets().isEmpty())
          .map(line -> line.resource().name())
          .toList();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether a run has marked its period as done. */
  static boolean isMarked(Holdfast holdfast, String name) {
    try {
      return holdfast
          .inspector()
          .orElseThrow()
          .show(new Resource(holdfast.options().namespace(), name))
          .flatMap(EngineInspector.LineView::marked)
          .isPresent();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static void awaitEmpty(Holdfast holdfast) {
    Await.until("an empty store", BOUND, () -> names(holdfast).isEmpty());
  }

  static boolean isFree(Holdfast holdfast, String name) {
    return !names(holdfast).contains(name);
  }
}
