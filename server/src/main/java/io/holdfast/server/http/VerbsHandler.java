package io.holdfast.server.http;

import io.holdfast.server.verbs.RejectedException;
import io.holdfast.server.verbs.VerbService;
import io.holdfast.server.verbs.VerbService.Signals;
import io.holdfast.spi.wire.VerbMessage;
import io.holdfast.spi.wire.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
    JsonReplies replies = new JsonReplies(exchange, "replies", messages.size());
    for (int i = 0; i < messages.size(); i++) {
      int index = i;
      VerbMessage message = messages.get(i);
      try {
        verbs.submit(
            message,
            VerbService.callOf(message),
            exchange.caller(),
            exchange.epoch(),
            Signals.NONE,
            reply -> replies.put(index, JsonVerbs.json(reply)));
      } catch (RejectedException e) {
        replies.put(index, JsonVerbs.json(Problem.of(e.refusal())));
      }
    }
  }
}
