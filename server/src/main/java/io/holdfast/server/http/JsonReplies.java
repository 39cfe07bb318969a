package io.holdfast.server.http;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The replies to the verbs of one request, which ends when the last one is there. */
final class JsonReplies {

  private final Exchange exchange;
  private final String field;
  private final Object[] replies;
  private final AtomicInteger open;

  JsonReplies(Exchange exchange, String field, int count) {
    this.exchange = exchange;
    this.field = field;
    this.replies = new Object[count];
    this.open = new AtomicInteger(count);
  }

  /** Puts each reply once; any thread may. */
  void put(int index, Map<String, Object> reply) {
    replies[index] = reply;
    if (open.decrementAndGet() == 0) {
      exchange.reply(200, Map.of(field, Arrays.asList(replies)));
    }
  }
}
