package io.holdfast.redis.verbs;

import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;

/** Changes the number of permits of a semaphore and signals the waiters that fit now. */
final class Resize extends ScriptStep<Verb.Resize> {

  private static final Script LINE =
      Script.granting(
          "layout/line-keys",
          "layout/clock",
          "layout/time",
          "layout/incarnation",
          "layout/bucket",
          "layout/any-waiters",
          "layout/line",
          "verbs/resize-line");

  Resize(VerbContext context, Verb.Resize verb) {
    super(context, verb);
  }

  @Override
  ScriptCall ask(long reserveMillis) {
    return ScriptCall.of(
        LINE,
        keys(),
        id(),
        Integer.toString(ticket.generation()),
        Integer.toString(ticket.shape().capacity()),
        context.publish(),
        generationField());
  }

  @Override
  boolean read(ReplyWords words, boolean replicated) throws EngineException {
    verb.complete(
        switch (words.first()) {
          case "R" -> true;
          case "U" -> false;
          default -> throw refusal(words);
        });
    return DONE;
  }
}
