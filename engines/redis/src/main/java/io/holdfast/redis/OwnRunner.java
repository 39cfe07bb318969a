package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Wire;
import io.holdfast.redis.wire.Wiring;
import io.holdfast.spi.EngineException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Scripts over one connection, which is made when it is needed; callers take turns. */
final class OwnRunner implements Runner {

  private final Wiring wiring;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Wire wire;
  private boolean closed;

  OwnRunner(Wiring wiring) {
    this.wiring = wiring;
  }

  @Override
  public Reply run(Call call) {
    lock.lock();
    try {
      if (closed) {
        return new Reply.Failed(
            new EngineException.Refused("the guard of " + wiring.address() + " is closed"));
      }
      if (wire == null) {
        wire = wiring.connect();
      }
      return wire.run(List.of(call)).get(0);
    } catch (EngineException e) {
      return new Reply.Failed(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String address() {
    return wiring.address();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      if (wire != null) {
        wire.close();
        wire = null;
      }
    } finally {
      lock.unlock();
    }
    wiring.close();
  }
}
