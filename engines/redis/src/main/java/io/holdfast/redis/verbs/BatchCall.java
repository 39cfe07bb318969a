package io.holdfast.redis.verbs;

import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.VerbRounds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * One call of a batch, for a single verb or for several on the fast path.
 *
 * <p>Starting a script costs a server more than running it. So attempts and leaves without an order
 * share a script if their resources are expected to be free of other tickets.
 */
record BatchCall(List<? extends ScriptStep<?>> steps, ScriptCall call) {

  /*
   * Verbs of one batch have no order among them: their tickets differ, and none of their callers has a reply yet that another could have waited for. So combined verbs may overtake the
   * others. A combined script is still one atomic step, of which each verb's part either does what
   * the verb's own script would have done at this moment, or nothing. A verb for which it did
   * nothing is asked by its own script in the next round, as if it had come then.
   */

  /** No call should keep a server from its other clients for long. */
  private static final int MOST = 64;

  /** What a combined script returns for a verb for which it has done nothing. */
  private static final String NOTHING_DONE = "-";

  /** Puts verbs into calls, combined where that is possible. */
  static List<BatchCall> combined(List<ScriptStep<?>> steps, long reserveMillis) {
    List<Attempt> attempts = new ArrayList<>();
    List<Leave> leaves = new ArrayList<>();
    List<ScriptStep<?>> others = new ArrayList<>();
    for (ScriptStep<?> step : steps) {
      if (step.canBeCombined() && step instanceof Attempt attempt) {
        attempts.add(attempt);
      } else if (step.canBeCombined() && step instanceof Leave leave) {
        leaves.add(leave);
      } else {
        others.add(step);
      }
    }
    List<BatchCall> calls = new ArrayList<>();
    for (List<Leave> some : slices(leaves)) {
      if (some.size() == 1) {
        others.addAll(some);
      } else {
        calls.add(new BatchCall(some, Leave.askTogether(some)));
      }
    }
    for (List<Attempt> some : slices(attempts)) {
      if (some.size() == 1) {
        others.addAll(some);
      } else {
        calls.add(new BatchCall(some, Attempt.askTogether(some)));
      }
    }
    calls.addAll(single(others, reserveMillis));
    return calls;
  }

  private static <T> List<List<T>> slices(List<T> all) {
    List<List<T>> slices = new ArrayList<>();
    for (int from = 0; from < all.size(); from += MOST) {
      slices.add(all.subList(from, Math.min(from + MOST, all.size())));
    }
    return slices;
  }

  /** Puts each verb into a call of its own. */
  static List<BatchCall> single(List<? extends ScriptStep<?>> steps, long reserveMillis) {
    List<BatchCall> calls = new ArrayList<>(steps.size());
    for (ScriptStep<?> step : steps) {
      calls.add(new BatchCall(List.of(step), step.ask(reserveMillis)));
    }
    return calls;
  }

  /** Passes the reply on to the steps; those for which nothing was done ask again. */
  void hear(ScriptReply reply, VerbRounds.Replies<ScriptStep<?>, ScriptReply> replies) {
    if (steps.size() == 1) {
      replies.pass(steps.get(0), reply);
      return;
    }
    List<Optional<ScriptReply>> each = replies(reply);
    for (int i = 0; i < steps.size(); i++) {
      if (each.get(i).isPresent()) {
        replies.pass(steps.get(i), each.get(i).get());
      } else {
        replies.again(steps.get(i));
      }
    }
  }

  /** Splits the reply of a combined script: empty for a verb for which nothing was done. */
  private List<Optional<ScriptReply>> replies(ScriptReply reply) {
    if (reply instanceof ScriptReply.Value value && value.value() instanceof byte[] bytes) {
      String[] words = new String(bytes, StandardCharsets.US_ASCII).split(" ", -1);
      if (words.length == steps.size()) {
        List<Optional<ScriptReply>> each = new ArrayList<>(words.length);
        for (String word : words) {
          each.add(
              word.equals(NOTHING_DONE)
                  ? Optional.empty()
                  : Optional.of(new ScriptReply.Value(word, value.replicas())));
        }
        return each;
      }
    }
    return Collections.nCopies(
        steps.size(), isCombinationRefused(reply) ? Optional.empty() : Optional.of(failed(reply)));
  }

  private static ScriptReply failed(ScriptReply reply) {
    return reply instanceof ScriptReply.Failed
        ? reply
        : new ScriptReply.Failed(
            new EngineException.Unknown("unexpected reply to a combined script", null));
  }

  /** Returns whether the server refused a combined script; single verbs may still succeed. */
  boolean isCombinationRefused(ScriptReply reply) {
    return steps.size() > 1
        && reply instanceof ScriptReply.Failed failed
        && failed.why() instanceof EngineException.Refused;
  }
}
