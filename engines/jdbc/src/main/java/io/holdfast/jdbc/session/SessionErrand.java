package io.holdfast.jdbc.session;

import io.holdfast.jdbc.kept.Errand;
import io.holdfast.spi.Verb;
import java.util.List;

/** A lane of the one session: it has no connection of its own, and waits for its turn. */
final class SessionErrand implements Errand {

  private final SessionKeeper keeper;
  private volatile boolean closed;

  SessionErrand(SessionKeeper keeper) {
    this.keeper = keeper;
  }

  @Override
  public void perform(List<Verb> batch) {
    keeper.perform(this, batch);
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    keeper.breakOff(this);
  }
}
