package io.holdfast.redis.verbs;

import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;

/**
 * Turns the hold of a run of once into a mark that outlives its maker, or keeps a mutex taken
 * without its client.
 */
final class Settle extends ScriptStep<Verb.Settle> {

  private static final Script ANY =
      Script.keeping(
          "layout/any-keys",
          "layout/clock",
          "layout/time",
          "layout/any-release",
          "verbs/settle-any");

  private static final Script KEEP_ANY =
      Script.keeping(
          "layout/any-keys", "layout/clock", "layout/time", "layout/any-release", "verbs/keep-any");

  private static final Script KEEP_LINE =
      Script.keeping(
          "layout/line-keys",
          "layout/clock",
          "layout/time",
          "layout/any-waiters",
          "layout/line",
          "verbs/keep-line");

  Settle(VerbContext context, Verb.Settle verb) {
    super(context, verb);
  }

  @Override
  ScriptCall ask(long reserveMillis) {
    String keep = ScriptCall.millis(verb.keep());
    if (ticket.shape().kind() == Shape.Kind.ONCE) {
      return ScriptCall.acknowledged(ANY, keys(), id(), keep, context.publish());
    }
    return ScriptCall.acknowledged(
        isLine() ? KEEP_LINE : KEEP_ANY,
        keys(),
        id(),
        keep,
        context.publish(),
        ticket.id().kept().encoded());
  }

  @Override
  boolean read(ReplyWords words, boolean replicated) throws EngineException {
    boolean settled = words.number(0) == 1;
    context.held().remove(ticket);
    if (settled && !replicated) {
      verb.fail(new EngineException.Unknown(context.tooFewReplicas(ticket), null));
    } else {
      verb.complete(settled);
    }
    return DONE;
  }
}
