package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules of a line by themselves; the engine in memory is tested against the kit's model. */
class LineRulesTest {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration RESERVE = Duration.ofMillis(5);
  private static final long MILLI = 1_000_000;
  private static final Shape ANY = Shape.mutex(Order.ANY);
  private static final Shape FIFO = Shape.mutex(Order.FIFO);

  /** One line, its clock, and the waiters that were woken. */
  private static final class Scene implements LineStore {
    final LineRules rules;
    final Map<Ticket.Id, Departure> departures = new HashMap<>();
    final List<Long> woken = new ArrayList<>();
    LineState line = new LineState(ANY);
    long now = Long.MAX_VALUE - 20_000 * MILLI;
    long counter;

    Scene(Duration reserve) {
      rules = new LineRules(new Refusals("test:"), this, reserve);
    }

    interface Verb<T> {
      T on(LineState line) throws Refused;
    }

    <T> T step(Verb<T> verb) throws Refused {
      rules.begin(line, now);
      try {
        return verb.on(line);
      } finally {
        rules.finish(line).forEach(waiter -> woken.add(waiter.id().number()));
      }
    }

    Standing attempt(Ticket ticket) throws Refused {
      return step(each -> rules.attempt(each, ticket, () -> {}));
    }

    Left leave(Ticket ticket) throws Refused {
      return step(each -> rules.leave(each, ticket));
    }

    Renewal renew(Ticket ticket) throws Refused {
      return step(each -> rules.renew(each, ticket));
    }

    boolean resize(int permits) throws Refused {
      return step(each -> rules.resize(each, ticket(99, Shape.semaphore(permits), 1)));
    }

    @Override
    public @Nullable Departure findDeparture(Ticket.Id id, long at) {
      return departures.get(id);
    }

    @Override
    public int raiseGeneration(Ticket ticket) {
      return 0;
    }

    @Override
    public long mint(int generation) {
      return Token.of(generation, ++counter);
    }
  }

  /** A line in the records of a store: nothing is written but the changes of each verb. */
  private static final class Records {
    private StoredLine header;
    private final Map<Long, StoredLine.StoredTicket> rows = new TreeMap<>();

    Records(StoredLine first) {
      header = first;
    }

    StoredLine read() {
      List<StoredLine.StoredTicket> tickets = new ArrayList<>();
      // Holders in the order of their tokens, as they were granted; waiters by place.
      rows.values().stream()
          .filter(row -> row.token() != 0)
          .sorted((a, b) -> Long.compare(a.token(), b.token()))
          .forEach(tickets::add);
      rows.values().stream().filter(row -> row.token() == 0).forEach(tickets::add);
      return new StoredLine(
          header.shape(), header.lastPlace(), tickets, header.mark(), header.reservation());
    }

    void write(StoredLine before, StoredLine after) {
      StoredLine.Changes changes = before.changesTo(after);
      changes.removed().forEach(row -> assertThat(rows.remove(row.place())).isEqualTo(row));
      changes.written().forEach(row -> rows.put(row.place(), row));
      if (changes.header()) {
        header = after;
      }
      assertThat(read()).isEqualTo(after);
      assertThat(changes.isEmpty()).isEqualTo(before.equals(after));
    }
  }

  private static Ticket ticket(long number, Shape shape, int weight) {
    return ticket(number, shape, weight, true);
  }

  private static Ticket ticket(long number, Shape shape, int weight, boolean waits) {
    return new Ticket(
        new Ticket.Id(1, 2, number),
        new Resource("default", "door"),
        shape,
        weight,
        LEASE,
        0,
        waits,
        new Owner("test", "here", 1, "t" + number, ""));
  }

  private static Standing.Granted granted(Standing standing) {
    assertThat(standing).isInstanceOf(Standing.Granted.class);
    return (Standing.Granted) standing;
  }

  @Test
  void aLineInRecordsBehavesAsOneInMemory() throws Exception {
    for (long seed = 0; seed < 1_000; seed++) {
      Random random = new Random(seed);
      Shape[] shapes = {ANY, FIFO, Shape.semaphore(3), Shape.readWrite(), Shape.once()};
      Shape shape = shapes[random.nextInt(shapes.length)];
      Scene memory = new Scene(RESERVE);
      Scene store = new Scene(RESERVE);
      Records records = new Records(store.line.stored());
      for (int i = 0; i < 40; i++) {
        Chosen verb = choose(random, shape);
        long passed = random.nextInt(4) > 0 ? 0 : random.nextInt(12_000) * MILLI;
        String expected = play(memory, verb, passed);
        StoredLine before = records.read();
        store.line = LineState.of(before);
        String actual = play(store, verb, passed);
        records.write(before, store.line.stored());
        assertThat(actual).as("seed %d step %d", seed, i).isEqualTo(expected);
        assertThat(store.line.stored()).isEqualTo(memory.line.stored());
        // A stored line does not remember which waiters it woke for the same room.
        assertThat(store.woken).containsAll(memory.woken);
        memory.woken.clear();
        store.woken.clear();
      }
    }
  }

  private static String play(Scene scene, Chosen chosen, long passed) {
    scene.now += passed;
    try {
      return scene.step(line -> chosen.on(scene.rules, line));
    } catch (Refused e) {
      return String.valueOf(e.getMessage());
    }
  }

  private interface Chosen {
    String on(LineRules rules, LineState line) throws Refused;
  }

  private static Chosen choose(Random random, Shape shape) {
    boolean readWrite = shape.kind() == Shape.Kind.READ_WRITE;
    int pick = 1 + random.nextInt(readWrite ? 2 : shape.capacity());
    int weight = readWrite && pick == 2 ? shape.capacity() : pick;
    Ticket ticket = ticket(random.nextInt(6), shape, weight, random.nextInt(4) > 0);
    Ticket size = ticket(99, Shape.semaphore(1 + random.nextInt(4)), 1);
    Duration keep = Duration.ofSeconds(random.nextInt(20));
    return switch (random.nextInt(11)) {
      case 0, 1, 2, 3, 4 -> (rules, line) -> text(rules.attempt(line, ticket, () -> {}));
      case 5 -> (rules, line) -> rules.renew(line, ticket).toString();
      case 6, 7 -> (rules, line) -> rules.leave(line, ticket).toString();
      case 8 -> (rules, line) -> "settled " + rules.settle(line, ticket, keep);
      case 9 -> (rules, line) -> "resized " + rules.resize(line, size);
      default -> (rules, line) -> "revoked " + revoke(rules, line.find(ticket.id()));
    };
  }

  private static boolean revoke(LineRules rules, @Nullable LineEntry entry) {
    if (entry == null || !entry.isHolder()) {
      return false;
    }
    rules.revoke(entry, "go");
    return true;
  }

  /** In memory the time until the next expiry is a lower bound, in records it is exact. */
  private static String text(Standing standing) {
    return standing instanceof Standing.Waiting waiting
        ? waiting.ahead() + " ahead of it, holder " + waiting.holder()
        : standing.toString();
  }

  @Test
  void afterAResizeToLessHoldersBehindAWaiterCount() throws Exception {
    Scene scene = new Scene(RESERVE);
    Shape three = Shape.semaphore(3);
    Ticket one = ticket(1, three, 2);
    Ticket waiter = ticket(2, three, 2);
    Ticket last = ticket(3, three, 1);
    granted(scene.attempt(one));
    assertThat(scene.attempt(waiter)).isInstanceOf(Standing.Waiting.class);
    assertThat(scene.resize(5)).isTrue();
    assertThat(scene.woken).containsExactly(2L);
    granted(scene.attempt(last.withShape(Shape.semaphore(5))));
    assertThat(scene.resize(2)).isTrue();
    scene.leave(one);
    // By the sum of the tickets ahead alone it would fit now.
    assertThat(scene.attempt(waiter)).isInstanceOf(Standing.Waiting.class);
    scene.leave(last);
    assertThat(scene.woken).containsExactly(2L, 2L);
    granted(scene.attempt(waiter));
  }

  @Test
  void aWaiterThatIsTooHeavyAfterAResizeIsRefusedAndBlocksNoOther() throws Exception {
    Scene scene = new Scene(RESERVE);
    Shape three = Shape.semaphore(3);
    granted(scene.attempt(ticket(1, three, 1)));
    Ticket heavy = ticket(2, three, 3);
    Ticket light = ticket(3, three, 1);
    scene.attempt(heavy);
    scene.attempt(light);
    scene.resize(2);
    assertThatThrownBy(() -> scene.attempt(heavy))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("capacity of 2");
    assertThat(scene.woken).containsExactly(3L);
    granted(scene.attempt(light));
  }

  @Test
  void aRefusalStillWakesTheWaitersThatHaveRoom() throws Exception {
    Scene scene = new Scene(RESERVE);
    granted(scene.attempt(ticket(1, FIFO, 1)));
    Ticket waiter = ticket(2, FIFO, 1);
    scene.now += LEASE.toNanos() / 2;
    scene.attempt(waiter);
    scene.now += LEASE.toNanos() / 2;
    assertThatThrownBy(() -> scene.attempt(ticket(3, ANY, 1))).isInstanceOf(Refused.class);
    assertThat(scene.woken).containsExactly(2L);
  }

  @Test
  void aTurnIsKeptForTheFirstWaiterWhereWaitersAreSignalled() throws Exception {
    Scene scene = new Scene(RESERVE);
    Ticket holder = ticket(1, ANY, 1);
    Ticket waiter = ticket(2, ANY, 1);
    scene.attempt(holder);
    scene.attempt(waiter);
    scene.leave(holder);
    assertThat(scene.woken).containsExactly(2L);
    assertThat(scene.attempt(ticket(3, ANY, 1, false))).isInstanceOf(Standing.Waiting.class);
    scene.now += RESERVE.toNanos();
    granted(scene.attempt(ticket(4, ANY, 1, false)));
  }

  @Test
  void noTurnIsKeptWithoutAReserve() throws Exception {
    Scene scene = new Scene(Duration.ZERO);
    Ticket holder = ticket(1, ANY, 1);
    scene.attempt(holder);
    scene.attempt(ticket(2, ANY, 1));
    scene.leave(holder);
    assertThat(scene.woken).containsExactly(2L);
    granted(scene.attempt(ticket(3, ANY, 1, false)));
  }

  @Test
  void aGrantBySignalDoesNotProlongTheLease() throws Exception {
    Scene scene = new Scene(RESERVE);
    Ticket holder = ticket(1, FIFO, 1);
    Ticket waiter = ticket(2, FIFO, 1);
    scene.attempt(holder);
    scene.attempt(waiter);
    scene.now += 1_000 * MILLI;
    scene.rules.begin(scene.line, scene.now);
    scene.rules.leave(scene.line, holder);
    List<LineEntry> woken = scene.rules.finish(scene.line);
    assertThat(woken).hasSize(1);
    long token = scene.rules.grant(scene.line, woken.get(0), 0);
    assertThat(woken.get(0).isHolder()).isTrue();
    assertThat(woken.get(0).expiry() - scene.now).isEqualTo(LEASE.toNanos() - 1_000 * MILLI);
    assertThat(granted(scene.attempt(waiter)).token()).isEqualTo(token);
  }

  @Test
  void aRenewalNeverBringsTheEndNearer() throws Exception {
    Scene scene = new Scene(RESERVE);
    Ticket holder = ticket(1, FIFO, 1);
    scene.attempt(holder);
    assertThat(scene.renew(holder.withLease(Duration.ofSeconds(1))))
        .isEqualTo(new Renewal.Renewed(LEASE, false));
    assertThat(scene.renew(holder.withLease(Duration.ofSeconds(40))))
        .isEqualTo(new Renewal.Renewed(Duration.ofSeconds(40), false));
  }

  @Test
  void aClockThatWentBackDoesNotKeepATicketForLongerThanItsLease() throws Exception {
    Scene scene = new Scene(RESERVE);
    Ticket holder = ticket(1, FIFO, 1);
    scene.attempt(holder);
    scene.now -= Duration.ofHours(1).toNanos();
    assertThat(scene.renew(holder)).isEqualTo(new Renewal.Renewed(LEASE, false));
  }

  @Test
  void anEvictedTicketGetsTheReasonAndCannotComeBack() throws Exception {
    Scene scene = new Scene(RESERVE);
    Ticket holder = ticket(1, FIFO, 1);
    long token = granted(scene.attempt(holder)).token();
    scene.attempt(ticket(2, FIFO, 1));
    scene.step(
        line -> {
          LineEntry found = line.findHolder(Token.handedOver(token, 3));
          assertThat(found).isNotNull();
          scene.rules.evict(line, found);
          scene.departures.put(
              found.id(), new LineStore.Departure(scene.now + found.lease(), "maintenance"));
          return found;
        });
    assertThat(scene.woken).containsExactly(2L);
    assertThat(scene.renew(holder))
        .isEqualTo(new Renewal.Gone(Renewal.Cause.REVOKED, "maintenance"));
    assertThatThrownBy(() -> scene.attempt(holder)).hasMessageContaining("maintenance");
  }

  @Test
  void aMarkEndsTheWaitOfAll() throws Exception {
    Scene scene = new Scene(RESERVE);
    Ticket runner = ticket(1, Shape.once(), 1);
    scene.attempt(runner);
    scene.attempt(ticket(2, Shape.once(), 1));
    scene.attempt(ticket(3, Shape.once(), 1));
    Duration keep = Duration.ofSeconds(9);
    boolean settled = scene.step(line -> scene.rules.settle(line, runner, keep));
    assertThat(settled).isTrue();
    assertThat(scene.woken).containsExactly(2L, 3L);
    assertThat(scene.attempt(ticket(2, Shape.once(), 1))).isEqualTo(new Standing.Done(keep));
    assertThat(scene.line.marked()).contains(keep);
    assertThat(scene.line.stored().mark())
        .isEqualTo(new StoredLine.Mark(runner.id(), scene.now + keep.toNanos()));
    boolean again = scene.step(line -> scene.rules.settle(line, runner, keep));
    assertThat(again).isTrue();
  }
}
