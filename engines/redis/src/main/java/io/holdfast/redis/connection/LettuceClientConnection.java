package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/** Calls over one connection of a caller-supplied Lettuce client: to one server or to a cluster. */
final class LettuceClientConnection implements LaneConnection {

  private final StatefulConnection<byte[], byte[]> connection;
  private final String address;
  private final Duration timeout;
  private final Runnable onClose;

  private LettuceClientConnection(
      StatefulConnection<byte[], byte[]> connection,
      String address,
      Duration timeout,
      Runnable onClose) {
    this.connection = connection;
    this.address = address;
    this.timeout = timeout;
    this.onClose = onClose;
  }

  /** Calls to one server: the calls of a batch are sent together. */
  static LettuceClientConnection toServer(
      StatefulRedisConnection<byte[], byte[]> connection, String address, Duration timeout) {
    connection.setAutoFlushCommands(false);
    return new LettuceClientConnection(connection, address, timeout, () -> closeLater(connection));
  }

  /**
   * Calls to the nodes of a cluster. Each is sent at once: Lettuce sends a call again to the node
   * that a redirection names, and would not flush it there.
   */
  static LettuceClientConnection toCluster(
      StatefulRedisClusterConnection<byte[], byte[]> connection, String address, Duration timeout) {
    return new LettuceClientConnection(connection, address, timeout, () -> closeLater(connection));
  }

  /** Calls to one node, over the connection of a cluster that somebody else closes. */
  static LettuceClientConnection toNode(
      StatefulRedisConnection<byte[], byte[]> connection,
      String address,
      Duration timeout,
      Runnable onClose) {
    return new LettuceClientConnection(connection, address, timeout, onClose);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for it.
  private static void closeLater(StatefulConnection<byte[], byte[]> connection) {
    connection.closeAsync();
  }

  @Override
  public List<ScriptReply> run(List<ScriptCall> calls) {
    return run(PendingCall.of(calls), Deadline.in(timeout));
  }

  @Override
  public ScriptReply command(byte[]... parts) {
    return run(List.of(PendingCall.of(parts)), Deadline.in(timeout)).get(0);
  }

  private List<ScriptReply> run(List<PendingCall> pendingCalls, Deadline deadline) {
    boolean unused = PendingCall.run(pendingCalls, open -> trip(open, deadline));
    return PendingCall.replies(pendingCalls);
  }

  private boolean trip(List<PendingCall> open, Deadline deadline) {
    List<RedisFuture<Object>> futures = new ArrayList<>();
    try {
      open.forEach(call -> futures.add(send(call)));
      connection.flushCommands();
    } catch (RedisException e) {
      open.forEach(call -> call.fail(unknown(e)));
      return false;
    }
    for (int at = 0; at < futures.size(); at++) {
      take(open.get(at), futures.get(at), deadline);
    }
    return true;
  }

  private RedisFuture<Object> send(PendingCall pendingCall) {
    List<byte[]> parts = pendingCall.words();
    byte[] key = pendingCall.key();
    CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    for (byte[] part : parts.subList(1, parts.size())) {
      // The same array: the first key decides the node of a cluster.
      CommandArgs<byte[], byte[]> unused = part == key ? args.addKey(part) : args.add(part);
    }
    String name = new String(parts.get(0), StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
    AsyncCommand<byte[], byte[], Object> command =
        new AsyncCommand<>(new Command<>(CommandType.valueOf(name), new ReplyOutput(), args));
    connection.dispatch(command);
    return command;
  }

  private void take(PendingCall pendingCall, RedisFuture<Object> future, Deadline deadline) {
    try {
      Object value = future.get(deadline.millisLeft(), TimeUnit.MILLISECONDS);
      pendingCall.answer(
          value == null ? ScriptReply.Nil.NIL : value, ScriptReply.NOT_ASKED, address);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisCommandExecutionException error) {
        String said = String.valueOf(error.getMessage());
        pendingCall.answer(new JedisDataException(said), ScriptReply.NOT_ASKED, address);
      } else if (e.getCause() instanceof PartitionSelectorException noNode) {
        // No node serves the slot, as far as the client knows: nothing was sent.
        pendingCall.fail(
            new EngineException.NotDone(address + " finds no node: " + noNode.getMessage(), e));
      } else {
        pendingCall.fail(unknown(e));
      }
    } catch (TimeoutException | CancellationException e) {
      // Otherwise Lettuce sends it again after it reconnects, however late that is.
      future.cancel(true);
      pendingCall.fail(unknown(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      future.cancel(true);
      pendingCall.fail(unknown(e));
    }
  }

  private EngineException unknown(Exception e) {
    return new EngineException.Unknown(address + " lost the connection: " + e, e);
  }

  @Override
  public void close() {
    onClose.run();
  }

  /** The reply of the server: a number, bytes, null, or a list of those. */
  private static final class ReplyOutput extends CommandOutput<byte[], byte[], Object> {

    private record Open(List<@Nullable Object> list, int size) {}

    private final Deque<Open> lists = new ArrayDeque<>();

    @SuppressWarnings("NullAway") // Nothing is null here too.
    ReplyOutput() {
      super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public void set(long number) {
      put(number);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
      put(bytes == null ? null : codec.decodeValue(bytes));
    }

    @Override
    public void setSingle(@Nullable ByteBuffer bytes) {
      set(bytes);
    }

    @Override
    public void multi(int size) {
      List<@Nullable Object> list = new ArrayList<>();
      put(list);
      if (size > 0) {
        lists.push(new Open(list, size));
      }
    }

    @SuppressWarnings("NullAway") // As above.
    private void put(@Nullable Object value) {
      Open open = lists.peek();
      if (open == null) {
        output = value;
        return;
      }
      open.list.add(value);
      if (open.list.size() == open.size) {
        lists.pop();
      }
    }
  }
}
