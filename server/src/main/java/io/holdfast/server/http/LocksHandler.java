package io.holdfast.server.http;

import io.holdfast.World;
import io.holdfast.server.verbs.RejectedVerbException;
import io.holdfast.server.verbs.VerbService;
import io.holdfast.server.verbs.VerbService.Signals;
import io.holdfast.spi.Left;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import io.holdfast.spi.wire.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.eclipse.jetty.server.Request;

/** Locks for programs without a Holdfast client: acquire, renew, release, with sealed tickets. */
final class LocksHandler {

  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(25);

  /** A client that waits for as long as it said gets the reply in time. */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private static final Duration LONGEST_LEASE = Duration.ofDays(1);

  private final VerbService verbs;
  private final SealedTickets seal;
  private final World world;
  private final AtomicLong numbers = new AtomicLong();

  LocksHandler(VerbService verbs, SealedTickets seal, World world) {
    this.verbs = verbs;
    this.seal = seal;
    this.world = world;
  }

  /** {@code POST /v1/locks/{name}/acquire}. */
  void acquire(Exchange exchange, String name) {
    exchange.withBody(body -> acquire(exchange, name, body));
  }

  private void acquire(Exchange exchange, String name, JsonObject body) throws ProblemException {
    Duration wait = body.millis("wait", Duration.ZERO);
    if (wait.compareTo(LONGEST_WAIT) > 0) {
      throw body.wrong("wait", "must be 0.." + LONGEST_WAIT.toMillis());
    }
    Ticket ticket;
    boolean isOurs = body.text("ticket").isEmpty();
    if (isOurs) {
      ticket = ticket(exchange.request(), name, body, !wait.isZero());
    } else {
      ticket = seal.open(body.requireText("ticket"));
      if (!ticket.resource().name().equals(name)) {
        throw body.wrong("ticket", "is one for another name");
      }
    }
    admit(exchange, new VerbMessage.Attempt(ticket, 0, 0));
    Duration poll = wait.compareTo(MARGIN) > 0 ? wait.minus(MARGIN) : Duration.ZERO;
    new LongPoll(verbs, world, exchange, ticket, seal.seal(ticket), isOurs, poll).attempt();
  }

  private void admit(Exchange exchange, VerbMessage verb) throws ProblemException {
    try {
      verbs.admit(verb, exchange.access());
    } catch (RejectedVerbException e) {
      throw new ProblemException(Problem.of(e));
    }
  }

  private Ticket ticket(Request request, String name, JsonObject body, boolean waits)
      throws ProblemException {
    Shape shape = JsonVerbs.shape(body);
    if (shape.kind() == Shape.Kind.ONCE) {
      throw body.wrong("kind", "must be mutex, semaphore or read_write");
    }
    long weight = body.number("weight", 1, Shape.READ_WRITE_CAPACITY, 1);
    boolean isWriter = shape.kind() == Shape.Kind.READ_WRITE && body.flag("exclusive");
    try {
      return new Ticket(
          new Ticket.Id(world.secret(), world.secret(), numbers.incrementAndGet()),
          new Resource(body.text("namespace").orElse("default"), name),
          shape,
          isWriter ? Shape.READ_WRITE_CAPACITY : (int) weight,
          Duration.ofMillis(
              body.number("lease", 1, LONGEST_LEASE.toMillis(), DEFAULT_LEASE.toMillis())),
          0,
          waits,
          new Owner("", Request.getRemoteAddr(request), 0, "", body.text("owner").orElse("")),
          false);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(Problem.malformed(String.valueOf(e.getMessage())));
    }
  }

  /** {@code POST /v1/tickets/renew}: one heartbeat for all tickets of a client. */
  void renew(Exchange exchange) {
    exchange.withBody(body -> forEach(exchange, body, VerbMessage.Renew::new));
  }

  /** {@code POST /v1/tickets/release}. An attempt of the ticket may still be under way. */
  void release(Exchange exchange) {
    exchange.withBody(
        body -> forEach(exchange, body, ticket -> new VerbMessage.Leave(ticket, true)));
  }

  private void forEach(Exchange exchange, JsonObject body, Function<Ticket, VerbMessage> verb)
      throws ProblemException {
    List<String> sealed = body.texts("tickets");
    if (sealed.isEmpty() || sealed.size() > Wire.MOST_VERBS) {
      throw body.wrong("tickets", "must be 1.." + Wire.MOST_VERBS + " tickets");
    }
    List<Ticket> tickets = new ArrayList<>();
    for (String text : sealed) {
      tickets.add(seal.open(text));
    }
    Object[] results = new Object[tickets.size()];
    AtomicInteger open = new AtomicInteger(results.length);
    for (int i = 0; i < results.length; i++) {
      int index = i;
      Ticket ticket = tickets.get(i);
      verbs.submit(
          verb.apply(ticket),
          exchange.access(),
          exchange.epoch(),
          Signals.NONE,
          reply -> {
            results[index] = result(ticket, reply);
            if (open.decrementAndGet() == 0) {
              exchange.reply(200, Map.of("results", Arrays.asList(results)));
            }
          });
    }
  }

  private static Map<String, Object> result(Ticket ticket, Reply reply) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", ticket.resource().name());
    if (reply instanceof Reply.OfRenew of && of.renewal() instanceof Renewal.Renewed renewed) {
      json.put("state", "RENEWED");
      json.put("validFor", renewed.validFor().toMillis());
      json.put("wanted", renewed.wanted());
    } else if (reply instanceof Reply.OfRenew of && of.renewal() instanceof Renewal.Gone gone) {
      json.put("state", "GONE");
      json.put("cause", gone.cause().name());
      json.put("reason", gone.reason());
    } else if (reply instanceof Reply.OfLeave of) {
      Left left = of.left();
      json.put("state", left.name());
    } else if (reply instanceof Reply.Failed failed) {
      json.put("state", "PROBLEM");
      json.put("problem", Problem.of(failed.failure()).toJson());
    }
    return json;
  }
}
