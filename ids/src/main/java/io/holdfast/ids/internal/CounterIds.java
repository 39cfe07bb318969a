package io.holdfast.ids.internal;

import io.holdfast.ids.IdBlock;
import io.holdfast.ids.IdFacts;
import io.holdfast.ids.Ids;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.Supply;
import java.util.Optional;
import java.util.OptionalInt;

/** A generator that asks the store for every id; see {@link Ids#counter}. */
final class CounterIds implements LongIds {

  private final StoreCounter counter;
  private final LastCallStatus last = new LastCallStatus();
  private volatile boolean closed;

  CounterIds(StoreCounter counter) {
    this.counter = counter;
  }

  @Override
  public long next() {
    requireOpen();
    return last.of(() -> counter.take(1));
  }

  @Override
  public IdBlock block(int count) {
    requireOpen();
    long checked = counter.require(count);
    return new IdBlock(last.of(() -> counter.take(checked)), count);
  }

  private void requireOpen() {
    if (closed) {
      throw new IdsUnavailableException("the generator of ids " + counter + " is closed", null);
    }
  }

  @Override
  public IdFacts describe(long id) {
    return facts(id);
  }

  @Override
  public Supply supply() {
    return closed
        ? SupplyStates.closed("the generator of ids " + counter)
        : last.supply("ids " + counter);
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Returns the parts of an id that a counter made. */
  static IdFacts facts(long id) {
    if (id < 0) {
      throw new IllegalArgumentException("ids are not negative: id=" + id);
    }
    return new IdFacts(Optional.empty(), OptionalInt.empty(), id);
  }
}
