package io.holdfast.redis.verbs;

import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.redis.layout.Keys;
import io.holdfast.redis.layout.ShapeLetter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineException.NotDone;
import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.EngineException.Unknown;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.VerbStep;
import java.time.Duration;
import java.util.List;

/** One verb of a batch: asks the store, reads the reply and completes the verb. */
abstract class ScriptStep<V extends Verb> implements VerbStep<ScriptReply> {

  /** How the server begins its complaint about a key of another type. */
  private static final String WRONG_TYPE = "WRONGTYPE";

  final VerbContext context;
  final V verb;
  final Ticket ticket;

  ScriptStep(VerbContext context, V verb) {
    this.context = context;
    this.verb = verb;
    this.ticket = verb.ticket();
  }

  /** Creates the step of a verb. */
  static ScriptStep<?> of(VerbContext context, Verb verb) {
    if (verb instanceof Verb.Attempt attempt) {
      return new Attempt(context, attempt);
    } else if (verb instanceof Verb.Renew renew) {
      return new Renew(context, renew);
    } else if (verb instanceof Verb.Leave leave) {
      return new Leave(context, leave);
    }
    return verb instanceof Verb.Settle settle
        ? new Settle(context, settle)
        : new Resize(context, (Verb.Resize) verb);
  }

  /**
   * Returns the call to send next.
   *
   * @param reserveMillis how long a free resource should be kept for this client when it is called
   */
  abstract ScriptCall ask(long reserveMillis);

  /**
   * Reads what the script returned and completes the verb.
   *
   * @param replicated whether enough replicas confirmed it, or none had to
   * @return {@link #DONE} or {@link #AGAIN}
   */
  abstract boolean read(ReplyWords words, boolean replicated) throws EngineException;

  @Override
  public boolean hear(ScriptReply reply) {
    try {
      int replicas = reply instanceof ScriptReply.Value value ? value.replicas() : 0;
      boolean replicated = replicas == ScriptReply.NOT_ASKED || replicas >= context.minReplicas();
      return read(ReplyWords.of(reply), replicated);
    } catch (Refused e) {
      context.waiters().remove(ticket.id());
      boolean foreign = String.valueOf(e.getMessage()).contains(WRONG_TYPE);
      verb.fail(foreign ? context.foreign().otherKey(ticket, e) : e);
    } catch (EngineException e) {
      if (reply instanceof ScriptReply.Value) {
        context.waiters().remove(ticket.id());
      }
      verb.fail(e);
    }
    return DONE;
  }

  @Override
  public void fail(EngineException failure) {
    verb.fail(failure);
  }

  @Override
  public boolean isOver() {
    return verb.isComplete();
  }

  /** Returns whether it can share a script with other verbs of its kind; see {@link BatchCall}. */
  boolean canBeCombined() {
    return false;
  }

  final boolean isLine() {
    return ShapeLetter.isLine(ticket.shape());
  }

  final List<byte[]> keys() {
    return isLine() ? Keys.ofLine(ticket) : Keys.ofAny(ticket);
  }

  final String id() {
    return ticket.id().encoded();
  }

  final String lease() {
    return ScriptCall.millis(ticket.lease());
  }

  /**
   * Generations belong to a namespace: clients that share a store need not raise theirs together.
   */
  final String generationField() {
    return "g:" + ticket.resource().namespace();
  }

  /**
   * Returns what the value of a lock begins with if this ticket holds it; see {@code
   * layout/any-keys}.
   */
  final String heldPrefix() {
    return ShapeLetter.of(ticket.shape()) + " " + id() + " ";
  }

  /** Returns what a reply means that is none of the verb's own. */
  final EngineException refusal(ReplyWords words) {
    return switch (words.first()) {
      case "X" ->
          isDeparture(words)
              ? context.refusals().left(ticket)
              : context.refusals().revoked(ticket, reason(words));
      case "S" ->
          context
              .refusals()
              .shape(ticket, ShapeLetter.shape(words.text(1), Integer.parseInt(words.text(2))));
      case "F" -> context.foreign().inTheWay(ticket, words.text(1));
      case "V" -> context.foreign().newerLayout(ticket, words.text(1));
      case "N" -> context.refusals().generation(ticket, (int) words.number(1));
      case "A" -> context.refusals().nothingToAdopt(ticket);
      case "C" -> context.refusals().heavierThanCapacity(ticket, words.number(1));
      case "H" -> context.refusals().heavierThanBefore(ticket, words.number(1));
      case "Q" ->
          new NotDone(
              context.refusals().about(ticket)
                  + " is in quarantine for another "
                  + words.number(1)
                  + " ms: another server process has taken over and may not know the last grants",
              null);
      default ->
          new Unknown(
              context.refusals().about(ticket) + ": unexpected reply: " + words.first(), null);
    };
  }

  /** Returns whether an {@code X} says that the ticket left by itself. */
  static boolean isDeparture(ReplyWords words) {
    return words.text(1).equals("l");
  }

  /** Returns the operator's reason in an {@code X}. */
  static String reason(ReplyWords words) {
    String text = words.text(1);
    return text.length() > 2 ? text.substring(2) : "";
  }

  static Duration atLeast(long least, long millis) {
    return Duration.ofMillis(Math.max(least, millis));
  }
}
