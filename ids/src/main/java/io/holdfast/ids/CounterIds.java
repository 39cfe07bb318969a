package io.holdfast.ids;

/** Asks the store for every id; see {@link Ids#counter}. */
final class CounterIds implements LongIds {

  private final Numbers numbers;
  private final LastAnswer last = new LastAnswer();
  private volatile boolean closed;

  CounterIds(Numbers numbers) {
    this.numbers = numbers;
  }

  @Override
  public long next() {
    requireOpen();
    return last.of(() -> numbers.take(1));
  }

  @Override
  public IdBlock block(int count) {
    requireOpen();
    long checked = numbers.require(count);
    return new IdBlock(last.of(() -> numbers.take(checked)), count);
  }

  private void requireOpen() {
    if (closed) {
      throw new IdsUnavailableException("the generator of ids " + numbers + " is closed", null);
    }
  }

  @Override
  public IdFacts describe(long id) {
    return IdFacts.counted(id);
  }

  @Override
  public Supply supply() {
    return closed
        ? Supply.closed("the generator of ids " + numbers)
        : last.supply("ids " + numbers);
  }

  @Override
  public void close() {
    closed = true;
  }
}
