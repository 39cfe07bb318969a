package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("rule 4, a dead waiter vanishes like a dead holder")
interface Rule04DeadWaiters {

  /** So many that one lease each would be noticed, whatever the tolerance. */
  int DEAD = 12;

  @EveryMutex(once = true)
  default void u24_dead_waiters_cost_one_lease_in_total(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Actor dying = stage.actor();
    Actor alive = stage.actor();
    Resource resource = dress.resource(stage, "queue");
    Ticket holder = dress.ticket(actor, resource);
    actor.in(holder);
    for (int i = 0; i < DEAD; i++) {
      dying.out(dress.ticket(dying, resource));
    }
    Ticket last = dress.ticket(alive, resource);
    alive.out(last);
    actor.leave(holder);
    dying.dies();
    alive.getsIn(last, stage.leaseAtMost());
  }

  @EveryMutex(once = true)
  default void a_dead_holder_and_dead_waiters_cost_one_lease_in_total(Stage stage, Dress dress)
      throws Exception {
    Actor dying = stage.actor();
    Actor alive = stage.actor();
    Resource resource = dress.resource(stage, "all");
    dying.in(dress.ticket(dying, resource));
    for (int i = 0; i < DEAD; i++) {
      dying.out(dress.ticket(dying, resource));
    }
    Ticket last = dress.ticket(alive, resource);
    alive.out(last);
    dying.dies();
    alive.getsIn(last, stage.leaseAtMost());
  }

  @EveryMutex(ordered = true)
  default void a_waiter_that_keeps_asking_keeps_its_place(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "alive");
    Ticket holder = dress.ticket(actor, resource);
    Ticket patient = dress.ticket(actor, resource);
    Ticket later = dress.ticket(rival, resource);
    actor.in(holder);
    actor.out(patient);
    rival.out(later);
    for (int third = 0; third < 6; third++) {
      stage.time().pass(stage.lease().dividedBy(3));
      actor.renewed(holder);
      actor.out(patient);
      rival.out(later);
    }
    actor.leave(holder);
    rival.out(later);
    actor.in(patient);
  }

  @EveryMutex(once = true)
  default void a_ticket_that_does_not_wait_leaves_nothing_behind(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "passing");
    Ticket holder = dress.ticket(actor, resource);
    actor.in(holder);
    for (int i = 0; i < DEAD; i++) {
      rival.out(rival.impatient(resource, dress.shape()));
    }
    assertThat(stage.standing("passing").orElse(1 + dress.drained()))
        .isEqualTo(1 + dress.drained());
    assertThat(actor.renewed(holder).wanted()).as("wanted by those that did not wait").isFalse();
    actor.leave(holder);
    actor.in(dress.ticket(actor, resource));
  }

  @EveryMutex(once = true)
  default void nothing_of_the_dead_stays_in_the_store(Stage stage, Dress dress) throws Exception {
    Actor dying = stage.actor();
    Resource resource = dress.resource(stage, "clean");
    dying.in(dress.ticket(dying, resource));
    dying.out(dress.ticket(dying, resource));
    dying.dies();
    Duration bound = stage.leaseAtMost();
    stage
        .time()
        .until(
            "the line is empty",
            bound,
            () -> stage.standing("clean").orElse(dress.drained()) == dress.drained());
    Actor alive = stage.actor();
    Standing standing = alive.attempt(alive.impatient(resource, dress.shape()));
    if (stage.inspector().isPresent()) {
      assertThat(standing).isInstanceOf(Standing.Granted.class);
    }
  }
}
