package io.holdfast.tck.conformance;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.DurationText;
import io.holdfast.tck.VerbKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A random sequence of verbs, checked against the {@link LineModel}. */
final class RandomVerbSequence {

  private static final int NAMES = 3;
  private static final int TICKETS = 4;

  /** A verb, and how to show its result to the model. */
  private record Shown(Verb verb, Consumer<LineModel.Span> show) {}

  private final KitFixture fixture;
  private final SplittableRandom random;
  private final LineModel model;
  private final Duration slack;
  private final Duration pause;
  private final List<VerbClient> clients;
  private final List<List<Ticket>> tickets = new ArrayList<>();
  private final Map<Ticket.Id, VerbClient> owners = new HashMap<>();
  private final Set<Ticket.Id> in = new HashSet<>();
  private final Set<Ticket.Id> waiting = new HashSet<>();
  private final List<String> script = new ArrayList<>();
  private int verbs;

  RandomVerbSequence(KitFixture fixture, List<VerbClient> clients, long seed, Duration pause) {
    this.pause = pause;
    this.fixture = fixture;
    this.clients = clients;
    this.random = new SplittableRandom(seed);
    this.slack = fixture.time().isManual() ? Duration.ZERO : Duration.ofSeconds(2);
    this.model = new LineModel(slack, fixture.silentWaiterLeases());
    List<Shape> shapes = Rule09OneShape.SHAPES.stream().filter(fixture.traits()::serves).toList();
    for (int i = 0; i < NAMES; i++) {
      Resource resource = fixture.resource("play-" + seed + "-" + i);
      Shape shape = shapes.get(random.nextInt(shapes.size()));
      List<Ticket> line = new ArrayList<>();
      for (int t = 0; t < TICKETS; t++) {
        line.add(fresh(anyActor(), resource, shape));
      }
      tickets.add(line);
    }
  }

  /** The verbs and results, for the message of a failure. */
  List<String> script() {
    return script;
  }

  int verbs() {
    return verbs;
  }

  void play(int steps) throws EngineException {
    for (int i = 0; i < steps; i++) {
      if (random.nextInt(8) == 0) {
        pass();
      } else {
        perform(choose());
      }
    }
    for (List<Ticket> line : tickets) {
      for (Ticket ticket : line) {
        perform(List.of(leave(ticket)));
      }
    }
  }

  private void pass() {
    // In real time it takes long to let leases end.
    boolean allEnd = random.nextInt(fixture.time().isManual() ? 3 : 40) == 0;
    Duration lease = fixture.lease();
    Duration duration =
        allEnd ? lease.plus(slack).plusMillis(1) : lease.dividedBy(random.nextInt(10, 1000));
    script.add("pass " + DurationText.of(duration));
    fixture.time().pass(duration);
  }

  /** Chooses one verb each for some of the names, so that their order does not matter. */
  private List<Shown> choose() {
    VerbClient client = anyActor();
    List<Shown> batch = new ArrayList<>();
    int first = random.nextInt(NAMES);
    int size = random.nextInt(3) == 0 ? NAMES : 1;
    for (int i = 0; i < size; i++) {
      List<Ticket> line = tickets.get((first + i) % NAMES);
      int begin = random.nextInt(TICKETS);
      for (int t = 0; t < TICKETS; t++) {
        int index = (begin + t) % TICKETS;
        if (ownerOf(line.get(index)) == client) {
          batch.add(verb(line, index));
          break;
        }
      }
    }
    return batch;
  }

  private VerbClient anyActor() {
    return clients.get(random.nextInt(clients.size()));
  }

  /** All verbs of a ticket go through the client that made it. */
  private VerbClient ownerOf(Ticket ticket) {
    return Objects.requireNonNull(owners.get(ticket.id()), "owner of a ticket");
  }

  private Shown verb(List<Ticket> line, int index) {
    Ticket ticket = line.get(index);
    int dice = random.nextInt(20);
    if (dice < 9) {
      return attempt(ticket);
    } else if (dice < 12) {
      return waiting.contains(ticket.id()) ? attempt(ticket) : renew(ticket);
    } else if (dice < 16) {
      // A client that left joins with a new ticket: the runtime never reuses a ticket.
      line.set(index, fresh(ownerOf(ticket), ticket.resource(), ticket.shape()));
      return leave(ticket);
    } else if (dice < 18 && ticket.shape().kind() == Shape.Kind.ONCE) {
      return waiting.contains(ticket.id()) ? attempt(ticket) : settle(ticket);
    } else if (dice == 16 && isKeepable(ticket)) {
      // Nothing more is asked for a ticket that stays without its client.
      line.set(index, fresh(ownerOf(ticket), ticket.resource(), ticket.shape()));
      return keep(ticket);
    } else if (dice < 18 && ticket.shape().kind() == Shape.Kind.SEMAPHORE) {
      return resize(ticket, line);
    }
    return attempt(odd(ticket));
  }

  private void perform(List<Shown> batch) {
    if (batch.isEmpty()) {
      return;
    }
    batch.forEach(shown -> script.add(VerbKind.of(shown.verb) + " " + shown.verb.ticket()));
    if (!pause.isZero()) {
      fixture.time().pass(pause);
    }
    long sent = fixture.time().now();
    VerbClient client = ownerOf(batch.get(0).verb.ticket());
    if (batch.size() == 1) {
      batch.get(0).verb.runOn(client.lane());
    } else {
      client.lane().perform(batch.stream().map(Shown::verb).toList());
    }
    LineModel.Span span = new LineModel.Span(sent, fixture.time().now());
    batch.forEach(shown -> shown.show.accept(span));
    verbs += batch.size();
  }

  /** The ticket for the model: with sessions, it does not expire while its client lives. */
  private Ticket asKept(Ticket ticket) {
    boolean session = fixture.traits().sessionLease().isPresent();
    return session ? ticket.withLease(Duration.ofDays(365)) : ticket;
  }

  private Ticket fresh(VerbClient client, Resource resource, Shape shape) {
    int weight = random.nextInt(3) == 0 ? shape.capacity() : 1;
    return owned(client, client.ticket(resource, shape, shape.order() == Order.ANY ? 1 : weight));
  }

  private Ticket owned(VerbClient client, Ticket ticket) {
    owners.put(ticket.id(), client);
    return ticket;
  }

  /** Returns a ticket of another shape, or a ticket that does not wait. */
  private Ticket odd(Ticket ticket) {
    VerbClient client = ownerOf(ticket);
    Shape other = Rule09OneShape.SHAPES.get(random.nextInt(Rule09OneShape.SHAPES.size()));
    boolean misfit = random.nextBoolean() && fixture.traits().serves(other);
    Shape shape = misfit ? other : ticket.shape();
    return owned(client, client.withoutWaiting(ticket.resource(), shape));
  }

  private Shown attempt(Ticket ticket) {
    AnswerRecorder<Standing> slot = new AnswerRecorder<>();
    return new Shown(
        new Verb.Attempt(ticket, VerbClient.IGNORED, slot),
        span -> {
          if (slot.failure() instanceof EngineException.Refused refusal) {
            answered(ticket, refusal);
            waiting.remove(ticket.id());
            model.refused(asKept(ticket), refusal, span);
            return;
          }
          Standing standing = get(slot);
          answered(ticket, standing);
          remember(ticket, standing);
          model.attempted(asKept(ticket), standing, span);
          if (!ticket.waits() && standing instanceof Standing.Granted) {
            perform(List.of(leave(ticket)));
          }
        });
  }

  private void remember(Ticket ticket, Standing standing) {
    waiting.remove(ticket.id());
    in.remove(ticket.id());
    if (standing instanceof Standing.Granted) {
      in.add(ticket.id());
    } else if (standing instanceof Standing.Waiting) {
      waiting.add(ticket.id());
    }
  }

  private Shown renew(Ticket ticket) {
    AnswerRecorder<Renewal> slot = new AnswerRecorder<>();
    return new Shown(
        new Verb.Renew(ticket, slot),
        span -> {
          answered(ticket, get(slot));
          model.renewed(asKept(ticket), get(slot), span);
        });
  }

  private Shown leave(Ticket ticket) {
    boolean inDoubt = random.nextBoolean();
    AnswerRecorder<Left> slot = new AnswerRecorder<>();
    return new Shown(
        new Verb.Leave(ticket, inDoubt, slot),
        span -> {
          answered(ticket, get(slot));
          waiting.remove(ticket.id());
          in.remove(ticket.id());
          model.left(asKept(ticket), inDoubt, get(slot), span);
          if (inDoubt && random.nextInt(4) == 0) {
            perform(List.of(attempt(ticket)));
          }
        });
  }

  private Shown settle(Ticket ticket) {
    AnswerRecorder<Boolean> slot = new AnswerRecorder<>();
    Duration keep = fixture.lease().dividedBy(random.nextInt(1, 5));
    return new Shown(
        new Verb.Settle(ticket, keep, slot),
        span -> {
          answered(ticket, get(slot));
          model.settled(asKept(ticket), keep, get(slot), span);
        });
  }

  private boolean isKeepable(Ticket ticket) {
    return ticket.shape().kind() == Shape.Kind.MUTEX
        && fixture.traits().keeps()
        && in.contains(ticket.id());
  }

  /** A mutex stays taken; not for less than a lease, which some stores round up to. */
  private Shown keep(Ticket ticket) {
    AnswerRecorder<Boolean> slot = new AnswerRecorder<>();
    Duration keep = fixture.lease().plus(fixture.lease().dividedBy(random.nextInt(1, 5)));
    return new Shown(
        new Verb.Settle(ticket, keep, slot),
        span -> {
          answered(ticket, get(slot));
          in.remove(ticket.id());
          model.settled(asKept(ticket), keep, get(slot), span);
        });
  }

  private Shown resize(Ticket ticket, List<Ticket> line) {
    AnswerRecorder<Boolean> slot = new AnswerRecorder<>();
    Shape shape = Shape.semaphore(random.nextInt(1, 5));
    VerbClient client = ownerOf(ticket);
    Ticket resized = owned(client, client.ticket(ticket.resource(), shape));
    return new Shown(
        new Verb.Resize(resized, slot),
        span -> {
          answered(resized, get(slot));
          model.resized(resized, get(slot), span);
          if (get(slot)) {
            line.replaceAll(t -> isInLine(t) ? t : fresh(ownerOf(t), t.resource(), shape));
          }
        });
  }

  private boolean isInLine(Ticket ticket) {
    return in.contains(ticket.id()) || waiting.contains(ticket.id());
  }

  private void answered(Ticket ticket, Object answer) {
    script.add("  " + ticket.id() + ": " + answer);
  }

  private static <T> T get(AnswerRecorder<T> slot) {
    try {
      return slot.get();
    } catch (EngineException e) {
      throw new AssertionError("a verb failed", e);
    }
  }
}
