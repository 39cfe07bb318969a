package io.holdfast.redis.verbs;

import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.layout.Keys;
import io.holdfast.spi.Left;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;

/** Takes a ticket out, waiting or holding, and signals the next waiter. */
final class Leave extends ScriptStep<Verb.Leave> {

  /*
   * Left is final: with an attempt in doubt the script leaves a tombstone for one lease, which the
   * scripts of attempts check first.
   */

  private static final Script ANY =
      Script.keeping(
          "layout/any-keys",
          "verbs/leave-any-fast",
          "layout/clock",
          "layout/time",
          "layout/any-release",
          "verbs/leave-any");

  private static final Script LINE =
      Script.keeping(
          "layout/line-keys",
          "layout/clock",
          "layout/time",
          "layout/any-waiters",
          "layout/line",
          "verbs/leave-line");

  /** The fast path for several resources without waiters. */
  private static final Script MANY = Script.keeping("verbs/leave-many");

  Leave(VerbContext context, Verb.Leave verb) {
    super(context, verb);
  }

  @Override
  ScriptCall ask(long reserveMillis) {
    return ScriptCall.of(
        isLine() ? LINE : ANY,
        keys(),
        id(),
        lease(),
        ScriptCall.flag(verb.inDoubt()),
        context.publish());
  }

  @Override
  boolean canBeCombined() {
    return !isLine() && !verb.inDoubt();
  }

  /** Returns the call that tries the fast path for several tickets. */
  static ScriptCall askTogether(List<Leave> steps) {
    List<byte[]> keys = new ArrayList<>(2 * steps.size());
    List<String> args = new ArrayList<>(steps.size());
    for (Leave step : steps) {
      keys.addAll(Keys.ofCombinedLeave(step.ticket));
      args.add(step.heldPrefix());
    }
    return ScriptCall.of(MANY, keys, args.toArray(String[]::new));
  }

  @Override
  boolean read(ReplyWords words, boolean replicated) {
    context.waiters().remove(ticket.id());
    context.held().remove(ticket);
    verb.complete(
        switch (words.first()) {
          case "H" -> Left.HOLDING;
          case "W" -> Left.WAITING;
          default -> Left.NOTHING;
        });
    return DONE;
  }
}
