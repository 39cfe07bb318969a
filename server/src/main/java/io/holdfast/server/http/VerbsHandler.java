package io.holdfast.server.http;

import io.holdfast.server.verbs.VerbService;
import io.holdfast.server.verbs.VerbService.Signals;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import io.holdfast.spi.wire.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code POST /v1/verbs}: a batch of verbs, each with its own reply, without wakes. */
final class VerbsHandler {

  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  private final VerbService verbs;

  VerbsHandler(VerbService verbs) {
    this.verbs = verbs;
  }

  void handle(Exchange exchange) {
    exchange.withBody(body -> send(exchange, body));
  }

  private void send(Exchange exchange, JsonObject body) throws ProblemException {
    List<VerbMessage> messages = new ArrayList<>();
    for (JsonObject each : body.objects("verbs")) {
      messages.add(JsonVerbs.verb(each, DEFAULT_LEASE));
    }
    if (messages.isEmpty() || messages.size() > Wire.MOST_VERBS) {
      throw body.wrong("verbs", "must be 1.." + Wire.MOST_VERBS + " verbs");
    }
    Reply[] replies = new Reply[messages.size()];
    AtomicInteger open = new AtomicInteger(replies.length);
    for (int i = 0; i < replies.length; i++) {
      int index = i;
      verbs.submit(
          messages.get(i),
          exchange.access(),
          exchange.epoch(),
          Signals.NONE,
          reply -> {
            replies[index] = reply;
            if (open.decrementAndGet() == 0) {
              exchange.reply(
                  200, Map.of("replies", Arrays.stream(replies).map(JsonVerbs::json).toList()));
            }
          });
    }
  }
}
