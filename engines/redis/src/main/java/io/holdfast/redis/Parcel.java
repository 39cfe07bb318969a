package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Reply;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What goes to the store as one call: one verb, or several that are expected to take the quick way.
 */
record Parcel(List<Verb> verbs, Call call) {

  /** What a script says of a verb about which it has done nothing. */
  private static final String NOTHING_DONE = "-";

  boolean isOfOne() {
    return verbs.size() == 1;
  }

  /**
   * What became of each verb, in order; empty for one about which nothing was done, which is to be
   * asked by itself.
   */
  List<Optional<Reply>> replies(Reply reply) {
    if (reply instanceof Reply.Value value && value.value() instanceof byte[] bytes) {
      String[] words = new String(bytes, StandardCharsets.US_ASCII).split(" ", -1);
      if (words.length == verbs.size()) {
        return replies(words, value.replicas());
      }
    }
    return Collections.nCopies(
        verbs.size(), isRefused(reply) ? Optional.empty() : Optional.of(failed(reply)));
  }

  private static List<Optional<Reply>> replies(String[] words, int replicas) {
    List<Optional<Reply>> each = new ArrayList<>(words.length);
    for (String word : words) {
      each.add(
          word.equals(NOTHING_DONE)
              ? Optional.empty()
              : Optional.of(new Reply.Value(word, replicas)));
    }
    return each;
  }

  private static Reply failed(Reply reply) {
    return reply instanceof Reply.Failed
        ? reply
        : new Reply.Failed(new EngineException.Unknown("not understood: an answer to many", null));
  }

  /** Whether the server would not have such a call at all: each of its verbs may fare better. */
  static boolean isRefused(Reply reply) {
    return reply instanceof Reply.Failed failed && failed.why() instanceof EngineException.Refused;
  }
}
