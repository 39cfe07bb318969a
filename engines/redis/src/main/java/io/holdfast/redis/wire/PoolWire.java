package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
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

  private static final byte[] ROLE = "ROLE".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MASTER = "master".getBytes(StandardCharsets.US_ASCII);

  private final ConnectionPool pool;

  PoolWire(ConnectionPool pool) {
    this.pool = pool;
  }

  boolean isMaster() {
    return command(ROLE) instanceof Reply.Value reply
        && reply.value() instanceof List<?> facts
        && !facts.isEmpty()
        && facts.get(0) instanceof byte[] role
        && Arrays.equals(role, MASTER);
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
      errand.answer(value == null ? Nil.NIL : value, Reply.NOT_ASKED, "a node");
    } catch (JedisDataException e) {
      errand.answer(e, Reply.NOT_ASKED, "a node");
    } catch (JedisException e) {
      errand.fail(new EngineException.Unknown("a node broke off: " + e.getMessage(), e));
    }
    return Errand.replies(List.of(errand)).get(0);
  }

  @Override
  public void close() {}
}
