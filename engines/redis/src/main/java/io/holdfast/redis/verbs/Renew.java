package io.holdfast.redis.verbs;

import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Verb;

/** Extends the lease of a holder; never joins, and never takes a lock back. */
final class Renew extends ScriptStep<Verb.Renew> {

  private static final Script ANY =
      Script.keeping("layout/any-keys", "layout/extend-lease", "verbs/renew-any");

  private static final Script LINE =
      Script.keeping("layout/line-keys", "layout/clock", "layout/time", "verbs/renew-line");

  Renew(VerbContext context, Verb.Renew verb) {
    super(context, verb);
  }

  @Override
  ScriptCall ask(long reserveMillis) {
    return ScriptCall.of(isLine() ? LINE : ANY, keys(), id(), lease());
  }

  @Override
  boolean read(ReplyWords words, boolean replicated) throws EngineException {
    Renewal renewal = renewal(words);
    if (renewal instanceof Renewal.Gone) {
      context.held().remove(ticket);
    } else {
      context.held().add(ticket);
    }
    verb.complete(renewal);
    return DONE;
  }

  /**
   * Promises the lease and no more, even if more is left: that counts on the server's wall clock,
   * which may have gone back.
   */
  private Renewal renewal(ReplyWords words) throws EngineException {
    return switch (words.first()) {
      case "R0" -> new Renewal.Renewed(ticket.lease(), false);
      case "R1" -> new Renewal.Renewed(ticket.lease(), true);
      case "U" -> new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "");
      case "X" ->
          isDeparture(words)
              ? new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "")
              : new Renewal.Gone(Renewal.Cause.REVOKED, reason(words));
      default -> throw refusal(words);
    };
  }
}
