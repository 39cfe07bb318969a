package io.holdfast.remote.admin;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.wire.Hello;
import io.holdfast.spi.wire.MessageReader;
import io.holdfast.spi.wire.Query;

/** The counters of the store behind the server. */
public final class RemoteCounter implements Counter {

  private final Queries queries;

  public RemoteCounter(Queries queries) {
    this.queries = queries;
  }

  @Override
  public long take(Ask ask) throws EngineException {
    return queries.call(new Query.Count(ask), MessageReader::getLong);
  }

  @Override
  public boolean giveBack(Resource name, long from, long end) throws EngineException {
    return queries.call(new Query.GiveBack(name, from, end), MessageReader::getFlag);
  }

  /** As the server says; as long as none has replied, the store is taken for one that forgets. */
  @Override
  public boolean forgets() {
    try {
      return queries.hello().counter() != Hello.Counting.SAFE;
    } catch (EngineException e) {
      return true;
    }
  }
}
