package io.holdfast;

import io.holdfast.spi.EngineException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Hangs a verb, before or after it has its effect, until it is opened. */
public final class Gate implements ScriptedEngine.Fault {

  private final boolean afterEffect;
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  private Gate(boolean afterEffect) {
    this.afterEffect = afterEffect;
  }

  /** The request is on its way, and hangs there. */
  public static Gate beforeEffect() {
    return new Gate(false);
  }

  /** The store has executed the verb, and the reply hangs. */
  public static Gate afterEffect() {
    return new Gate(true);
  }

  @Override
  public void before() throws EngineException {
    if (!afterEffect) {
      hang();
    }
  }

  @Override
  public void after() throws EngineException {
    if (afterEffect) {
      hang();
    }
  }

  private void hang() throws EngineException {
    entered.countDown();
    try {
      if (!open.await(30, TimeUnit.SECONDS)) {
        throw new EngineException.Unknown("the test never opened the gate", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.Unknown("a lane thread was interrupted", e);
    }
  }

  /** Returns as soon as a verb hangs here. */
  public Gate awaitEntered() {
    Await.until("a verb hangs", () -> entered.getCount() == 0);
    return this;
  }

  public void open() {
    open.countDown();
  }
}
