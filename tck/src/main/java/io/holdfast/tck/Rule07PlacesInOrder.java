package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

@DisplayName("rule 7, places are seen in order")
interface Rule07PlacesInOrder {

  int JOINERS = 4;
  int EACH = 5;
  int ROUNDS = 10;

  /** A join: when it was sent and answered, and what was told. */
  record Joined(Actor actor, Ticket ticket, long sent, long answered, int ahead) {}

  @EveryMutex(ordered = true)
  default void nobody_appears_ahead_of_one_that_was_told_its_place(Stage stage, Dress dress)
      throws Exception {
    Actor holder = stage.actor();
    List<Actor> actors = new ArrayList<>();
    for (int i = 0; i < JOINERS; i++) {
      actors.add(stage.actor());
    }
    for (int round = 0; round < ROUNDS; round++) {
      Resource resource = dress.resource(stage, "places-" + round);
      Ticket first = dress.ticket(holder, resource);
      holder.in(first);
      List<Joined> line = joinTogether(stage, dress, actors, resource);
      holder.leave(first);
      drainInOrder(line);
    }
  }

  @EveryMutex(ordered = true)
  default void the_number_ahead_never_rises(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Resource resource = dress.resource(stage, "ahead");
    Ticket holder = dress.ticket(actor, resource);
    actor.in(holder);
    List<Ticket> line = new ArrayList<>();
    List<Integer> told = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      Ticket ticket = dress.ticket(actor, resource);
      line.add(ticket);
      told.add(actor.out(ticket).ahead());
      assertThat(told.get(i)).as("ahead of number %s", i).isGreaterThanOrEqualTo(i + 1);
      for (int j = 0; j <= i; j++) {
        int ahead = actor.out(line.get(j)).ahead();
        assertThat(ahead).as("ahead of number %s", j).isLessThanOrEqualTo(told.get(j));
        told.set(j, ahead);
      }
    }
  }

  @EveryMutex(ordered = true)
  default void a_newcomer_does_not_pass_one_that_waits(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "newcomer");
    Ticket holder = dress.ticket(actor, resource);
    Ticket waiter = dress.ticket(actor, resource);
    actor.in(holder);
    actor.out(waiter);
    actor.leave(holder);
    // Free, but not for one that comes now.
    rival.out(dress.ticket(rival, resource));
    rival.out(rival.impatient(resource, dress.shape()));
    actor.in(waiter);
  }

  private static List<Joined> joinTogether(
      Stage stage, Dress dress, List<Actor> actors, Resource resource) throws Exception {
    CyclicBarrier together = new CyclicBarrier(actors.size());
    List<Running<List<Joined>>> joining = new ArrayList<>();
    for (Actor actor : actors) {
      joining.add(stage.run("joins", () -> join(actor, dress, resource, together)));
    }
    List<Joined> line = new ArrayList<>();
    for (Running<List<Joined>> each : joining) {
      line.addAll(each.result());
    }
    return line;
  }

  private static List<Joined> join(
      Actor actor, Dress dress, Resource resource, CyclicBarrier together) throws Exception {
    together.await(10, TimeUnit.SECONDS);
    List<Joined> joined = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      Ticket ticket = dress.ticket(actor, resource);
      long sent = System.nanoTime();
      Standing.Waiting waiting = actor.out(ticket);
      joined.add(new Joined(actor, ticket, sent, System.nanoTime(), waiting.ahead()));
    }
    return joined;
  }

  /** Lets them in one by one; nobody gets in before one that had its answer when he came. */
  private static void drainInOrder(List<Joined> line) throws Exception {
    List<Joined> left = new ArrayList<>(line);
    long token = 0;
    while (!left.isEmpty()) {
      List<Joined> in = new ArrayList<>();
      for (Joined each : left) {
        if (each.actor.attempt(each.ticket) instanceof Standing.Granted granted) {
          assertThat(granted.token()).as("token").isGreaterThan(token);
          token = granted.token();
          in.add(each);
        }
      }
      assertThat(in).as("those that are in at once").hasSize(1);
      left.removeAll(in);
      for (Joined waiting : left) {
        assertThat(waiting.answered)
            .as("%s was told its place before %s came", waiting, in.get(0))
            .isGreaterThanOrEqualTo(in.get(0).sent);
      }
      in.get(0).actor.leave(in.get(0).ticket);
    }
  }
}
