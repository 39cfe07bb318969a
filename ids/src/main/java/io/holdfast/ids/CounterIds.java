package io.holdfast.ids;

/** Asks the store for every id; see {@link Ids#counter}. */
final class CounterIds implements LongIds {

  private final Numbers numbers;
  private volatile boolean closed;

  CounterIds(Numbers numbers) {
    this.numbers = numbers;
  }

  @Override
  public long next() {
    requireOpen();
    return numbers.take(1);
  }

  @Override
  public IdBlock block(int count) {
    requireOpen();
    return new IdBlock(numbers.take(count), count);
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
        : Supply.up("ids " + numbers + ", one by one");
  }

  @Override
  public void close() {
    closed = true;
  }
}
