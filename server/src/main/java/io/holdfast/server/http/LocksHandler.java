package io.holdfast.server.http;

import io.holdfast.World;
import io.holdfast.server.security.Call;
import io.holdfast.server.security.Principal;
import io.holdfast.server.security.SealedTickets;
import io.holdfast.server.verbs.Gate;
import io.holdfast.server.verbs.RejectedException;
import io.holdfast.server.verbs.VerbService;
import io.holdfast.server.verbs.VerbService.Signals;
import io.holdfast.spi.Left;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.OwnerText;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import io.holdfast.spi.wire.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Locks for programs without a Holdfast client: acquire, renew, release, with sealed tickets. */
final class LocksHandler {

  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(25);

  /** A client that waits for as long as it said gets the reply in time. */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private static final Duration LONGEST_LEASE = Duration.ofDays(1);

  private final VerbService verbs;
  private final Gate gate;
  private final SealedTickets seal;
  private final World world;
  private final AtomicLong numbers = new AtomicLong();

  LocksHandler(VerbService verbs, SealedTickets seal, World world) {
    this.verbs = verbs;
    this.gate = verbs.gate();
    this.seal = seal;
    this.world = world;
  }

  /** {@code POST /v1/locks/{name}/acquire}. */
  void acquire(Exchange exchange, String name) {
    exchange.withBody(body -> acquire(exchange, name, body));
  }

  private void acquire(Exchange exchange, String name, JsonObject body)
      throws ProblemException, RejectedException {
    Principal principal = gate.principal(exchange.caller());
    Duration wait = body.millis("wait", Duration.ZERO);
    if (wait.compareTo(LONGEST_WAIT) > 0) {
      throw body.wrong("wait", "must be 0.." + LONGEST_WAIT.toMillis());
    }
    Ticket ticket;
    boolean isOurs = body.text("ticket").isEmpty();
    if (isOurs) {
      ticket = ticket(exchange, principal, name, body, !wait.isZero());
    } else {
      ticket = open(exchange, principal, body.requireText("ticket"));
      if (!ticket.resource().name().equals(name)) {
        throw body.wrong("ticket", "is one for another name");
      }
    }
    Duration poll = wait.compareTo(MARGIN) > 0 ? wait.minus(MARGIN) : Duration.ZERO;
    String sealed = seal.seal(ticket, principal);
    new LongPoll(verbs, world, exchange, ticket, sealed, isOurs, poll, limit(wait)).begin();
  }

  /** Returns when a client must have a reply: before it gives up, however short its wait is. */
  private static Duration limit(Duration wait) {
    Duration half = wait.dividedBy(2);
    Duration early = wait.minus(MARGIN.dividedBy(4));
    return half.compareTo(early) > 0 ? half : early;
  }

  /** Returns the ticket of a text that the client received from a server of the service. */
  private Ticket open(Exchange exchange, Principal principal, String text)
      throws RejectedException {
    SealedTickets.Opened opened = seal.open(text, principal);
    if (opened instanceof SealedTickets.Opened.Rejected rejected) {
      throw gate.denied(exchange.caller(), Optional.empty(), rejected.refusal());
    }
    return ((SealedTickets.Opened.Whole) opened).ticket();
  }

  private Ticket ticket(
      Exchange exchange, Principal principal, String name, JsonObject body, boolean waits)
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
          owner(exchange, principal, body.text("owner").orElse("")),
          false);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(Problem.malformed(String.valueOf(e.getMessage())));
    }
  }

  /** As stores keep it, which cut off what is too long. */
  private static Owner owner(Exchange exchange, Principal principal, String text) {
    Owner owner = new Owner("", exchange.caller().from(), 0, "", text);
    return OwnerText.read(OwnerText.write(principal.sign(owner)));
  }

  /** {@code POST /v1/tickets/renew}: one heartbeat for all tickets of a client. */
  void renew(Exchange exchange) {
    exchange.withBody(body -> forEach(exchange, body, Call.RENEW_TICKETS, VerbMessage.Renew::new));
  }

  /** {@code POST /v1/tickets/release}. An attempt of the ticket may still be under way. */
  void release(Exchange exchange) {
    exchange.withBody(
        body ->
            forEach(
                exchange,
                body,
                Call.RELEASE_TICKETS,
                ticket -> new VerbMessage.Leave(ticket, true)));
  }

  private void forEach(
      Exchange exchange, JsonObject body, Call call, Function<Ticket, VerbMessage> verb)
      throws ProblemException, RejectedException {
    Principal principal = gate.principal(exchange.caller());
    List<String> sealed = body.texts("tickets");
    if (sealed.isEmpty() || sealed.size() > Wire.MOST_VERBS) {
      throw body.wrong("tickets", "must be 1.." + Wire.MOST_VERBS + " tickets");
    }
    List<Ticket> tickets = new ArrayList<>();
    for (String text : sealed) {
      tickets.add(open(exchange, principal, text));
    }
    JsonReplies results = new JsonReplies(exchange, "results", tickets.size());
    for (int i = 0; i < tickets.size(); i++) {
      int index = i;
      Ticket ticket = tickets.get(i);
      try {
        verbs.submit(
            verb.apply(ticket),
            call,
            exchange.caller(),
            exchange.epoch(),
            Signals.NONE,
            reply -> results.put(index, result(ticket, reply)));
      } catch (RejectedException e) {
        results.put(index, problem(ticket, Problem.of(e.refusal())));
      }
    }
  }

  private static Map<String, Object> result(Ticket ticket, Reply reply) {
    Map<String, Object> json = named(ticket);
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
      return problem(ticket, Problem.of(failed.failure()));
    }
    return json;
  }

  private static Map<String, Object> problem(Ticket ticket, Problem problem) {
    Map<String, Object> json = named(ticket);
    json.put("state", "PROBLEM");
    json.put("problem", problem.toJson());
    return json;
  }

  private static Map<String, Object> named(Ticket ticket) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", ticket.resource().name());
    return json;
  }
}
