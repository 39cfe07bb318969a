package io.holdfast.server.verbs;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An engine whose lanes do not send verbs from before a pause of this process.
 *
 * <p>A verb may have passed the check of its connection and then wait in a lane while the process
 * stands still.
 */
final class FreshVerbs implements LockEngine {

  private static final String STALE =
      "this server stood still and did not execute what came before: repeat the request";

  private final LockEngine engine;
  private final Pauses pauses;
  private final Map<Verb, Long> epochs;

  private FreshVerbs(LockEngine engine, Pauses pauses, Map<Verb, Long> epochs) {
    this.engine = engine;
    this.pauses = pauses;
    this.epochs = epochs;
  }

  static FreshVerbs over(LockEngine engine, Pauses pauses) {
    return new FreshVerbs(engine, pauses, new ConcurrentHashMap<>());
  }

  /** The failure of a verb that is too old. */
  static EngineException stale() {
    return new EngineException.Unknown(STALE, null);
  }

  /** Notes when a verb arrived, until it is sent. */
  void arrived(Verb verb, long epoch) {
    epochs.put(verb, epoch);
  }

  /** Forgets a verb that was completed without being sent. */
  void ended(@Nullable Verb verb) {
    if (verb != null) {
      epochs.remove(verb);
    }
  }

  @Override
  public void perform(List<Verb> batch) {
    List<Verb> fresh = new ArrayList<>(batch.size());
    long now = pauses.epoch();
    for (Verb verb : batch) {
      Long arrived = epochs.remove(verb);
      if (arrived == null || arrived == now) {
        fresh.add(verb);
      } else {
        verb.fail(stale());
      }
    }
    if (!fresh.isEmpty()) {
      engine.perform(fresh);
    }
  }

  @Override
  public LockEngine lane() throws EngineException {
    LockEngine lane = engine.lane();
    return lane == engine ? this : new FreshVerbs(lane, pauses, epochs);
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    return engine.attempt(ticket, wake);
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    return engine.renew(ticket);
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    return engine.leave(ticket, inDoubt);
  }

  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    return engine.settle(ticket, keep);
  }

  @Override
  public boolean resize(Ticket ticket) throws EngineException {
    return engine.resize(ticket);
  }

  @Override
  public EngineTraits traits() {
    return engine.traits();
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    engine.reportChangesTo(signal);
  }

  @Override
  public EngineCondition condition() {
    return engine.condition();
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return engine.inspector();
  }

  @Override
  public Optional<Counter> counter() {
    return engine.counter();
  }

  @Override
  public void close() {
    engine.close();
  }
}
