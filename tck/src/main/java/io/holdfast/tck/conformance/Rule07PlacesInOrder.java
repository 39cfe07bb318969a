package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.DurationText;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

@DisplayName("rule 7, places are in order")
interface Rule07PlacesInOrder {

  int JOINERS = 4;
  int EACH = 5;
  int ROUNDS = 10;

  /** A join: when it was sent and confirmed, and the reported place. */
  record Joined(VerbClient client, Ticket ticket, long sent, long answered, int ahead) {}

  @EveryMutexKind(ordered = true)
  default void no_ticket_appears_ahead_of_a_reported_place(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient holder = fixture.verbClient();
    List<VerbClient> clients = new ArrayList<>();
    for (int i = 0; i < JOINERS; i++) {
      clients.add(fixture.verbClient());
    }
    for (int round = 0; round < ROUNDS; round++) {
      Resource resource = kind.resource(fixture, "places-" + round);
      Ticket first = kind.ticket(holder, resource);
      holder.expectGranted(first);
      List<Joined> line = joinTogether(fixture, kind, clients, resource);
      holder.leave(first);
      drainInOrder(line, fixture.lease());
    }
  }

  @EveryMutexKind(ordered = true)
  default void the_number_ahead_never_rises(KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = kind.resource(fixture, "ahead");
    Ticket holder = kind.ticket(client, resource);
    client.expectGranted(holder);
    List<Ticket> line = new ArrayList<>();
    List<Integer> told = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      Ticket ticket = kind.ticket(client, resource);
      line.add(ticket);
      told.add(client.expectWaiting(ticket).ahead());
      assertThat(told.get(i)).as("ahead of number %s", i).isGreaterThanOrEqualTo(i + 1);
      for (int j = 0; j <= i; j++) {
        int ahead = client.expectWaiting(line.get(j)).ahead();
        assertThat(ahead).as("ahead of number %s", j).isLessThanOrEqualTo(told.get(j));
        told.set(j, ahead);
      }
    }
  }

  @EveryMutexKind(ordered = true)
  default void a_newcomer_does_not_overtake_a_waiter(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "newcomer");
    Ticket holder = kind.ticket(client, resource);
    Ticket waiter = kind.ticket(client, resource);
    client.expectGranted(holder);
    client.expectWaiting(waiter);
    client.leave(holder);
    // Free, but the waiter is next.
    rival.expectWaiting(kind.ticket(rival, resource));
    rival.expectWaiting(rival.withoutWaiting(resource, kind.shape()));
    client.expectGranted(waiter);
  }

  private static List<Joined> joinTogether(
      KitFixture fixture, MutexKind kind, List<VerbClient> clients, Resource resource)
      throws Exception {
    CyclicBarrier together = new CyclicBarrier(clients.size());
    List<BackgroundTask<List<Joined>>> joining = new ArrayList<>();
    for (VerbClient client : clients) {
      joining.add(fixture.run("joins", () -> join(client, kind, resource, together)));
    }
    List<Joined> line = new ArrayList<>();
    for (BackgroundTask<List<Joined>> each : joining) {
      line.addAll(each.result());
    }
    return line;
  }

  private static List<Joined> join(
      VerbClient client, MutexKind kind, Resource resource, CyclicBarrier together)
      throws Exception {
    together.await(10, TimeUnit.SECONDS);
    List<Joined> joined = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      Ticket ticket = kind.ticket(client, resource);
      long sent = System.nanoTime();
      Standing.Waiting waiting = client.expectWaiting(ticket);
      joined.add(new Joined(client, ticket, sent, System.nanoTime(), waiting.ahead()));
    }
    return joined;
  }

  /**
   * Grants one by one; checks that no ticket overtakes a ticket that joined before it.
   *
   * @throws TooLateError when the tickets were not attempted within their lease
   */
  private static void drainInOrder(List<Joined> line, Duration lease) throws Exception {
    List<Joined> left = new ArrayList<>(line);
    Map<Joined, Long> attempted = new HashMap<>();
    line.forEach(each -> attempted.put(each, each.sent));
    long token = 0;
    while (!left.isEmpty()) {
      List<Joined> in = new ArrayList<>();
      for (Joined each : left) {
        long now = System.nanoTime();
        long silent = now - Objects.requireNonNull(attempted.put(each, now));
        if (silent >= lease.toNanos()) {
          throw new TooLateError(
              "a ticket with a lease of "
                  + DurationText.of(lease)
                  + " was not attempted for "
                  + DurationText.of(Duration.ofNanos(silent)));
        }
        if (each.client.attempt(each.ticket) instanceof Standing.Granted granted) {
          assertThat(granted.token()).as("token").isGreaterThan(token);
          token = granted.token();
          in.add(each);
        }
      }
      assertThat(in).as("granted tickets").hasSize(1);
      left.removeAll(in);
      for (Joined waiting : left) {
        assertThat(waiting.answered)
            .as("%s had its place before %s joined", waiting, in.get(0))
            .isGreaterThanOrEqualTo(in.get(0).sent);
      }
      in.get(0).client.leave(in.get(0).ticket);
    }
  }
}
