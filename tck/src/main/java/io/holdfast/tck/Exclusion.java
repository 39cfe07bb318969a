package io.holdfast.tck;

import io.holdfast.Hold;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.ResourceLock;

@DisplayName("exclusion")
interface Exclusion {

  int ROUNDS = 200;

  @ResourceLock(Hammer.BUSY)
  @EveryMutex
  default void threads_of_one_client_are_never_in_together(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "counter");
    Caller caller = stage.caller();
    Hammer hammer = new Hammer(stage, ROUNDS);
    hammer.add("thread", 6, dress.lock(caller.holdfast(), "counter"));
    hammer.check("one client, " + dress);
    stage.onlyRemain("counter", dress.drained());
  }

  @ResourceLock(Hammer.BUSY)
  @EveryMutex
  default void two_clients_are_never_in_together(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "counter");
    Caller one = stage.caller();
    Caller two = stage.caller();
    Hammer hammer = new Hammer(stage, ROUNDS);
    hammer.add("one", 3, dress.lock(one.holdfast(), "counter"));
    hammer.add("two", 3, dress.lock(two.holdfast(), "counter"));
    hammer.check("two clients, " + dress);
    stage.onlyRemain("counter", dress.drained());
  }

  @ResourceLock(Hammer.BUSY)
  @EveryMutex
  default void clients_with_lanes_are_never_in_together(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "counter");
    Caller one = stage.callerWithLanes();
    Caller two = stage.callerWithLanes();
    Hammer hammer = new Hammer(stage, ROUNDS);
    hammer.add("one", 3, dress.lock(one.holdfast(), "counter"));
    hammer.add("two", 3, dress.lock(two.holdfast(), "counter"));
    hammer.check("two clients with lanes, " + dress);
    stage.onlyRemain("counter", dress.drained());
  }

  @EveryMutex
  default void u26_one_that_only_tries_hears_that_it_is_busy(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "try");
    Caller one = stage.caller();
    Caller two = stage.caller();
    try (Hold hold = dress.lock(one.holdfast(), "try").acquire(Duration.ofSeconds(5))) {
      Optional<Hold> tried = dress.lock(two.holdfast(), "try").tryAcquire();
      TooLate.requireRefused(tried, List.of(hold), "a rival that only tries");
      Optional<Hold> local = dress.lock(one.holdfast(), "try").tryAcquire();
      TooLate.requireRefused(local, List.of(hold), "the client that holds it, asking again");
      stage.onlyRemain("try", 1 + dress.drained());
      hold.ensureHeld();
    }
    try (Hold hold = dress.lock(two.holdfast(), "try").tryAcquire().orElseThrow()) {
      hold.ensureHeld();
    }
  }
}
