package io.holdfast.benchmarks;

import io.holdfast.cli.bench.Contender;

/** A lock that lets every caller in and is never held. */
public final class BrokenLock implements Contender.Session, Contender.Caller {

  @Override
  public Contender.Caller caller() {
    return this;
  }

  @Override
  public long acquire(String name) {
    return NO_TOKEN;
  }

  @Override
  public boolean isHeld() {
    return false;
  }

  @Override
  public void release() {}

  @Override
  public void close() {}
}
