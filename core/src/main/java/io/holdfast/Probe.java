package io.holdfast;

import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;

/**
 * Asks whether the store answers, without a trace: it renews a ticket that was never granted.
 *
 * <p>Gone is the answer of a store that is well, and renew never joins.
 */
final class Probe {

  private final Client client;

  Probe(Client client) {
    this.client = client;
  }

  Health health() {
    if (!client.pulse().isFresh()) {
      ask();
    }
    boolean well = client.pulse().isWell();
    EngineException failure = client.pulse().failure();
    String detail =
        well
            ? client.store() + " answers"
            : client.store()
                + " does not answer"
                + (failure == null ? "" : ": " + failure.getMessage());
    EngineCondition condition = client.engine().condition();
    return new Health(
        status(well, condition),
        detail,
        client.renewals().size(),
        client.waiting().size() + client.localLines().waiting(),
        client.pulse().lastAnswer(),
        condition.warnings(),
        condition.counters());
  }

  private static Health.Status status(boolean well, EngineCondition condition) {
    if (!well) {
      return Health.Status.DOWN;
    }
    return condition.warnings().isEmpty() ? Health.Status.UP : Health.Status.WARN;
  }

  void requireAnswer() {
    ask();
    if (!client.pulse().isWell()) {
      throw new StoreUnavailableException(
          client.store() + " does not answer, and failFast is set; check that it is up",
          client.pulse().failure());
    }
  }

  private void ask() {
    Answered<Renewal> answered = new Answered<>(client.world());
    View view = client.view(client.options());
    Name name = Name.plain("holdfast-probe");
    Request request = new Request(view, name, view.resource(name), Request.Caller.BLOCKING);
    Shape shape = Shape.mutex(view.options().order());
    client
        .lane()
        .submit(new Verb.Renew(client.ticket(request, view.terms(), shape, 1, false), answered));
    if (answered.await() != null) {
      client.pulse().heard(client.world().nanoTime());
    } else {
      EngineException failure = answered.failure();
      if (failure != null) {
        client.pulse().failed(failure);
      }
    }
  }
}
