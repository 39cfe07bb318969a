package io.holdfast.runtime.client;

import io.holdfast.Health;
import io.holdfast.StoreUnavailableException;
import io.holdfast.runtime.acquire.AcquireRequest;
import io.holdfast.runtime.lane.BlockingReply;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the store replies, without leaving a trace.
 *
 * <p>It renews a ticket that was never granted. A healthy store returns Gone, and a renewal never
 * joins.
 */
final class StoreProbe {

  private final Client client;

  StoreProbe(Client client) {
    this.client = client;
  }

  Health health() {
    if (!client.storeStatus().isFresh()) {
      ask();
    }
    boolean well = client.storeStatus().isWell();
    EngineException failure = client.storeStatus().failure();
    String detail = well ? client.store() + " replies" : client.store() + trouble(failure);
    EngineCondition condition = client.engine().condition();
    return new Health(
        status(well, condition),
        detail,
        client.renewals().size(),
        client.waitingCallers(),
        client.storeStatus().lastAnswer(),
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
    if (!client.storeStatus().isWell()) {
      throw new StoreUnavailableException(
          client.store()
              + trouble(client.storeStatus().failure())
              + "; failFast is set, so the client was not opened",
          client.storeStatus().failure());
    }
  }

  /** A store that refuses the client does reply: then its word says what to do. */
  private static String trouble(@Nullable EngineException failure) {
    if (failure == null) {
      return " does not reply; check that it is up";
    }
    return (failure instanceof EngineException.Refused
            ? " refuses this client: "
            : " does not reply: ")
        + failure.getMessage();
  }

  private void ask() {
    BlockingReply<Renewal> reply = new BlockingReply<>(client.world());
    ClientView view = client.view(client.options());
    LockName name = LockName.plain("holdfast-probe");
    AcquireRequest request =
        new AcquireRequest(view, name, view.resource(name), AcquireRequest.Caller.BLOCKING);
    Shape shape = Shape.mutex(view.options().order());
    client
        .lane()
        .submit(new Verb.Renew(client.ticket(request, view.terms(), shape, 1, false), reply));
    if (reply.await() != null) {
      client.storeStatus().heard(client.world().nanoTime());
    } else {
      EngineException failure = reply.failure();
      if (failure != null) {
        client.storeStatus().failed(failure);
      }
    }
  }
}
