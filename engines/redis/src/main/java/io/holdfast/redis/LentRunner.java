package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Wire;
import io.holdfast.redis.wire.Wiring;
import io.holdfast.spi.EngineException;
import java.util.List;

/** Scripts over a client that the program has made: each takes a connection of its pool. */
record LentRunner(Wiring wiring) implements Runner {

  @Override
  public Reply run(Call call) {
    try (Wire wire = wiring.connect()) {
      return wire.run(List.of(call)).get(0);
    } catch (EngineException e) {
      return new Reply.Failed(e);
    }
  }

  @Override
  public String address() {
    return wiring.address();
  }

  @Override
  public void close() {
    wiring.close();
  }
}
