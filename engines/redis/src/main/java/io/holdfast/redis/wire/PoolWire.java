package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Commands to one node of somebody's cluster client, for looking through its keys. */
final class PoolWire implements Wire {

  private final String address;
  private final ConnectionPool pool;

  PoolWire(String address, ConnectionPool pool) {
    this.address = address;
    this.pool = pool;
  }

  String address() {
    return address;
  }

  @Override
  public List<Reply> run(List<Call> calls) {
    EngineException why = new EngineException.NotDone("this connection takes no calls", null);
    return calls.stream().map(call -> (Reply) new Reply.Failed(why)).toList();
  }

  @Override
  public Reply command(byte[]... parts) {
    Errand errand = Errand.of(parts);
    CommandArguments arguments = new CommandArguments(() -> parts[0]);
    arguments.addObjects((Object[]) Arrays.copyOfRange(parts, 1, parts.length));
    try (Connection connection = pool.getResource()) {
      @Nullable Object value = connection.executeCommand(arguments);
      errand.answer(value == null ? Nil.NIL : value, Reply.NOT_ASKED, address);
    } catch (JedisDataException e) {
      errand.answer(e, Reply.NOT_ASKED, address);
    } catch (JedisException e) {
      errand.fail(new EngineException.Unknown(address + " broke off: " + e.getMessage(), e));
    }
    return Errand.replies(List.of(errand)).get(0);
  }

  @Override
  public void close() {}
}
