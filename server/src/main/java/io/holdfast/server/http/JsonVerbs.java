package io.holdfast.server.http;

import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Verbs and replies as JSON: times in milliseconds, tokens as decimal strings. */
final class JsonVerbs {

  /** As {@link Ticket.Id#encoded()} writes it. */
  private static final Pattern ID =
      Pattern.compile("([0-9a-f]{16})([0-9a-f]{16})-([0-9a-f]{1,16})");

  private static final int HEX = 16;

  private JsonVerbs() {}

  static VerbMessage verb(JsonObject json, Duration defaultLease) throws ProblemException {
    JsonObject shown = json.object("ticket").orElseThrow(() -> json.wrong("ticket", "is missing"));
    Ticket ticket = ticket(shown, defaultLease);
    String verb = json.requireText("verb");
    return switch (verb) {
      case "attempt" -> new VerbMessage.Attempt(ticket, 0, 0);
      case "renew" -> new VerbMessage.Renew(ticket);
      case "leave" -> new VerbMessage.Leave(ticket, json.flag("inDoubt"));
      case "settle" -> new VerbMessage.Settle(ticket, json.millis("keep", Duration.ZERO));
      case "resize" -> new VerbMessage.Resize(ticket);
      default -> throw json.wrong("verb", "must be attempt, renew, leave, settle or resize");
    };
  }

  private static Ticket ticket(JsonObject json, Duration defaultLease) throws ProblemException {
    Matcher id = ID.matcher(json.requireText("id"));
    if (!id.matches()) {
      throw json.wrong("id", "must be 32 hexadecimal digits, a dash and up to 16 digits");
    }
    try {
      Shape shape = shape(json);
      return new Ticket(
          new Ticket.Id(hex(id.group(1)), hex(id.group(2)), hex(id.group(3))),
          new Resource(json.text("namespace").orElse("default"), json.requireText("name")),
          shape,
          (int) json.number("weight", 1, Shape.READ_WRITE_CAPACITY, 1),
          json.millis("lease", defaultLease),
          (int) json.number("generation", 0, 127, 0),
          json.flag("waits"),
          owner(json),
          json.flag("fixed"));
    } catch (IllegalArgumentException e) {
      throw new ProblemException(Problem.malformed(json.path() + e.getMessage()));
    }
  }

  static Shape shape(JsonObject json) throws ProblemException {
    Shape.Kind kind = json.choice("kind", Shape.Kind.class, Shape.Kind.MUTEX);
    return switch (kind) {
      case MUTEX -> Shape.mutex(json.choice("order", Order.class, Order.ANY));
      case SEMAPHORE ->
          Shape.semaphore((int) json.number("capacity", 0, Shape.MAX_PERMITS, Shape.ADOPT));
      case READ_WRITE -> Shape.readWrite();
      case ONCE -> Shape.once();
    };
  }

  private static Owner owner(JsonObject json) throws ProblemException {
    JsonObject owner = json.object("owner").orElse(new JsonObject("owner.", Map.of()));
    return new Owner(
        owner.text("app").orElse(""),
        owner.text("host").orElse(""),
        owner.number("pid").orElse(0L),
        owner.text("thread").orElse(""),
        owner.text("text").orElse(""));
  }

  private static long hex(String digits) {
    return new BigInteger(digits, HEX).longValue();
  }

  static Map<String, Object> json(Reply reply) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (reply instanceof Reply.OfAttempt attempt) {
      standing(json, attempt.standing());
    } else if (reply instanceof Reply.OfRenew renew) {
      renewal(json, renew.renewal());
    } else if (reply instanceof Reply.OfLeave leave) {
      Left left = leave.left();
      json.put("reply", "left");
      json.put("was", left.name());
    } else if (reply instanceof Reply.OfChange change) {
      json.put("reply", change.isDone() ? "done" : "not-found");
    } else if (reply instanceof Reply.Failed failed) {
      return json(Problem.of(failed.failure()));
    }
    return json;
  }

  static Map<String, Object> json(Problem problem) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("reply", "problem");
    json.put("problem", problem.toJson());
    return json;
  }

  private static void standing(Map<String, Object> json, Standing standing) {
    if (standing instanceof Standing.Granted granted) {
      json.put("reply", "granted");
      json.put("token", Long.toString(granted.token()));
      json.put("validFor", granted.validFor().toMillis());
      json.put("wanted", granted.wanted());
    } else if (standing instanceof Standing.Waiting waiting) {
      json.put("reply", "waiting");
      json.put("ahead", waiting.ahead());
      json.put("retryAfter", waiting.retryAfter().toMillis());
      waiting.holder().ifPresent(holder -> json.put("holder", holder(holder)));
    } else if (standing instanceof Standing.Done done) {
      json.put("reply", "done");
      json.put("left", done.left().toMillis());
    }
  }

  static Map<String, Object> holder(Standing.Holder holder) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("owner", holder.owner().unquoted());
    json.put("token", Long.toString(holder.token()));
    json.put("remaining", holder.remaining().toMillis());
    return json;
  }

  private static void renewal(Map<String, Object> json, Renewal renewal) {
    if (renewal instanceof Renewal.Renewed renewed) {
      json.put("reply", "renewed");
      json.put("validFor", renewed.validFor().toMillis());
      json.put("wanted", renewed.wanted());
    } else if (renewal instanceof Renewal.Gone gone) {
      json.put("reply", "gone");
      json.put("cause", gone.cause().name());
      json.put("reason", gone.reason());
    }
  }
}
