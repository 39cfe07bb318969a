package io.holdfast.shedlock;

/** ShedLock's own tests over {@code memory:}. */
class MemoryContractTest extends StoreContract {

  @Override
  protected String uri() {
    return "memory:shedlock";
  }
}
