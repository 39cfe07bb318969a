package io.holdfast.jdbc;

import io.holdfast.jdbc.kept.Errand;
import io.holdfast.jdbc.kept.Keeper;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.OwnLane;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import java.util.List;
import java.util.Optional;

/**
 * The engine of the modes whose locks live on connections. Connections belong to the client, not to
 * a lane; a lane opens what it needs when it has something to ask.
 */
final class KeptEngine implements BatchEngine {

  private final Keeper keeper;
  private final CounterTable counter;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean closed;

  KeptEngine(Keeper keeper, CounterTable counter) {
    this.keeper = keeper;
    this.counter = counter;
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw new Refusals(traits().store()).closed();
    }
    return new KeptLane(traits(), keeper.errand());
  }

  @Override
  public void perform(List<Verb> batch) {
    own.perform(batch);
  }

  @Override
  public EngineTraits traits() {
    return keeper.traits();
  }

  @Override
  public EngineCondition condition() {
    return keeper.condition();
  }

  @Override
  public String whyNot(Shape shape) {
    return keeper.whyNot();
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  @Override
  public void close() {
    closed = true;
    own.close();
    counter.close();
    keeper.close();
  }

  private record KeptLane(EngineTraits traits, Errand errand) implements BatchEngine {

    @Override
    public void perform(List<Verb> batch) {
      errand.perform(batch);
    }

    @Override
    public void close() {
      errand.close();
    }
  }
}
