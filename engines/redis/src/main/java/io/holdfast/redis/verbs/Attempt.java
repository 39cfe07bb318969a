package io.holdfast.redis.verbs;

import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.redis.layout.Keys;
import io.holdfast.redis.layout.ShapeLetter;
import io.holdfast.redis.signals.WakeMessage;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.OwnerText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Joins the line of a resource, or reports where the ticket stands in it. */
final class Attempt extends ScriptStep<Verb.Attempt> {

  /*
   * Why no rival gets in: the script is one atomic step. Without an order it sets the key of the
   * resource where nothing is, or where the key is reserved for this very ticket. In a line it
   * grants only if the ticket's weight fits in addition to all holders and waiters ahead. The token is
   * minted in the same step.
   *
   * Arm, then look: a waiting attempt registers its wake before the script runs, and the script
   * stores where to signal it.
   *
   * A grant that too few replicas confirmed is undone in a second round, before the caller is notified.
   * The undo may arrive late, so it names the token; until its outcome is known, the next attempt of
   * the ticket carries that token and is granted another one.
   */

  /** Without an order: the fast path of a free resource, and behind it all other cases. */
  private static final Script ANY =
      Script.granting(
          "layout/any-keys",
          "layout/clock",
          "verbs/attempt-any-fast",
          "layout/time",
          "layout/incarnation",
          "layout/bucket",
          "layout/any-waiters",
          "layout/extend-lease",
          "layout/kept",
          "verbs/attempt-any");

  private static final Script ANY_STRICT = ANY.withRunId();

  /** In a line. */
  private static final Script LINE =
      Script.granting(
          "layout/line-keys",
          "layout/clock",
          "layout/time",
          "layout/incarnation",
          "layout/bucket",
          "layout/any-waiters",
          "layout/line",
          "layout/kept",
          "verbs/attempt-line");

  private static final Script LINE_STRICT = LINE.withRunId();

  /** The fast path for several free resources at once. */
  private static final Script MANY = Script.granting("verbs/attempt-many");

  private static final Script UNDO_ANY =
      Script.keeping(
          "layout/any-keys", "layout/clock", "layout/time", "layout/any-release", "verbs/undo-any");

  private static final Script UNDO_LINE =
      Script.keeping(
          "layout/line-keys",
          "layout/clock",
          "layout/time",
          "layout/any-waiters",
          "layout/line",
          "verbs/undo-line");

  private static final String NO_CHANNEL = "-";

  /** Begins the reply of the fast path, a single word: granted, and no ticket waits. */
  private static final String FAST_GRANT = "g";

  private boolean undoes;
  private long undoToken;
  private boolean waitedBefore;

  Attempt(VerbContext context, Verb.Attempt verb) {
    super(context, verb);
  }

  @Override
  ScriptCall ask(long reserveMillis) {
    if (undoes) {
      return isLine() ? undoLine() : undoAny();
    }
    return isLine() ? askLine() : askAny(reserveMillis);
  }

  private ScriptCall askAny(long reserveMillis) {
    String channel = channel();
    // What is seldom needed is one argument: the server pays for each.
    String more =
        ticket.generation()
            + (ticket.waits() ? " 1 " : " 0 ")
            + reserveMillis
            + ' '
            + channel
            + ' '
            + armed(channel)
            + ' '
            + generationField()
            + ' '
            + context.quarantineMillis()
            + ' '
            + context.reverted().argument(ticket);
    String letter = ShapeLetter.of(ticket.shape());
    boolean mayTakeFastPath = !context.isStrict() && ticket.generation() == 0;
    return ScriptCall.acknowledged(
        context.isStrict() ? ANY_STRICT : ANY,
        keys(),
        id(),
        lease(),
        mayTakeFastPath ? letter : letter.toUpperCase(Locale.ROOT),
        OwnerText.write(ticket.owner()),
        more);
  }

  private ScriptCall askLine() {
    String channel = channel();
    return ScriptCall.acknowledged(
        context.isStrict() ? LINE_STRICT : LINE,
        keys(),
        id(),
        lease(),
        Integer.toString(ticket.generation()),
        ShapeLetter.of(ticket.shape()),
        Integer.toString(ticket.shape().capacity()),
        Integer.toString(ticket.weight()),
        ScriptCall.flag(ticket.waits()),
        OwnerText.write(ticket.owner()),
        channel,
        mayBeGrantedBySignal() ? WakeMessage.MAY_GRANT + armed(channel) : armed(channel),
        context.publish(),
        generationField(),
        Long.toString(context.quarantineMillis()),
        context.reverted().argument(ticket));
  }

  private boolean isSignalled() {
    return context.signals() && ticket.waits();
  }

  private String channel() {
    return isSignalled()
        ? context.waiters().channel(Keys.bucket(Keys.path(ticket.resource())))
        : NO_CHANNEL;
  }

  /** Registers the wake and returns what a signal will name it by. */
  private String armed(String channel) {
    return isSignalled() ? context.waiters().arm(ticket, channel, verb.wake()) : NO_CHANNEL;
  }

  /** A grant by signal is final: no replica is asked and no generation is raised. */
  private boolean mayBeGrantedBySignal() {
    return isSignalled()
        && !context.isStrict()
        && context.minReplicas() == 0
        && ticket.generation() == 0;
  }

  /** A registered ticket had to wait before, so the resource is probably not free. */
  @Override
  boolean canBeCombined() {
    return !undoes
        && !isLine()
        && ticket.generation() == 0
        && !context.waiters().contains(ticket.id());
  }

  /** Returns the call that tries the fast path for several tickets. */
  static ScriptCall askTogether(List<Attempt> steps) {
    List<byte[]> keys = new ArrayList<>(4 * steps.size());
    List<String> args = new ArrayList<>(3 * steps.size());
    for (Attempt step : steps) {
      Ticket ticket = step.ticket;
      keys.addAll(Keys.ofCombinedAttempt(ticket));
      args.add(step.heldPrefix());
      args.add(" " + step.lease() + " " + OwnerText.write(ticket.owner()));
      args.add(step.lease());
    }
    return ScriptCall.of(MANY, keys, args.toArray(String[]::new));
  }

  @Override
  public boolean hear(ScriptReply reply) {
    if (undoes) {
      undone(reply);
      return DONE;
    }
    return super.hear(reply);
  }

  @Override
  boolean read(ReplyWords words, boolean replicated) throws EngineException {
    if (isGranted(words) && !replicated) {
      return readUnconfirmed(words);
    }
    Standing standing = standing(words);
    boolean granted = standing instanceof Standing.Granted;
    if (standing instanceof Standing.Waiting && ticket.waits()) {
      context.waiters().listen(ticket.id());
    } else {
      context.waiters().remove(ticket.id());
    }
    if (granted) {
      context.held().add(ticket);
    }
    verb.complete(standing);
    if (granted) {
      context.waiters().listenForChanges();
    }
    return DONE;
  }

  private Standing standing(ReplyWords words) throws EngineException {
    if (words.first().startsWith(FAST_GRANT)) {
      return new Standing.Granted(token(words), ticket.lease(), false);
    }
    return switch (words.first()) {
      case "G" -> new Standing.Granted(token(words), ticket.lease(), words.number(2) == 1);
      case "W" -> waiting(words);
      case "D" -> new Standing.Done(atLeast(0, words.number(1)));
      default -> throw refusal(words);
    };
  }

  private static Standing waiting(ReplyWords words) {
    Duration left = atLeast(1, words.number(2));
    String token = words.text(3);
    return new Standing.Waiting(
        (int) words.number(1),
        left,
        token.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Standing.Holder(OwnerText.read(words.text(4)), Long.parseLong(token), left)));
  }

  private static boolean isGranted(ReplyWords words) {
    return words.first().startsWith(FAST_GRANT) || words.first().equals("G");
  }

  private static long token(ReplyWords words) {
    boolean fast = words.first().startsWith(FAST_GRANT);
    return Long.parseLong(fast ? words.first().substring(FAST_GRANT.length()) : words.text(1));
  }

  /** Undoes a new grant; of an earlier one it is unknown whether the replicas have it. */
  private boolean readUnconfirmed(ReplyWords words) {
    waitedBefore = words.text(3).equals("called");
    boolean isNew =
        words.first().startsWith(FAST_GRANT) || waitedBefore || words.text(3).equals("fresh");
    if (!isNew) {
      verb.fail(new EngineException.Unknown(context.tooFewReplicas(ticket), null));
      return DONE;
    }
    undoToken = token(words);
    // Recorded before the verb is looked at: if its caller learns meanwhile that the lane is late
    // and asks again, that attempt is granted another token.
    context.reverted().begin(ticket, undoToken);
    if (verb.isComplete()) {
      // It may have asked again before that, been granted this very token, and rely on it.
      context.reverted().end(ticket, undoToken);
      return DONE;
    }
    undoes = true;
    return AGAIN;
  }

  /** The undo continues even if the verb is complete by now. */
  @Override
  public boolean isOver() {
    return !undoes && super.isOver();
  }

  private ScriptCall undoAny() {
    return ScriptCall.of(UNDO_ANY, keys(), id(), Long.toString(undoToken), context.publish());
  }

  private ScriptCall undoLine() {
    return ScriptCall.of(
        UNDO_LINE,
        keys(),
        id(),
        Long.toString(undoToken),
        ScriptCall.flag(waitedBefore && ticket.waits()),
        context.publish());
  }

  /** The ticket may ask again: nothing says that it has left for good. */
  private void undone(ScriptReply reply) {
    String why = context.tooFewReplicas(ticket);
    if (reply instanceof ScriptReply.Failed failed) {
      verb.fail(new EngineException.Unknown(why, failed.why()));
    } else {
      context.reverted().end(ticket, undoToken);
      verb.fail(new EngineException.NotDone(why, null));
    }
  }
}
