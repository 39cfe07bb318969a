package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Calls over one connection of somebody's Lettuce client. */
final class LettuceWire implements Wire {

  private static final int IN_FULL_AS_WELL = 2;

  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final String address;
  private final Duration timeout;

  LettuceWire(
      StatefulRedisConnection<byte[], byte[]> connection, String address, Duration timeout) {
    this.connection = connection;
    this.address = address;
    this.timeout = timeout;
    connection.setAutoFlushCommands(false);
  }

  @Override
  public List<Reply> run(List<Call> calls) {
    return run(Errand.of(calls), Deadline.in(timeout));
  }

  @Override
  public Reply command(byte[]... parts) {
    return run(List.of(Errand.of(parts)), Deadline.in(timeout)).get(0);
  }

  private List<Reply> run(List<Errand> errands, Deadline deadline) {
    for (int i = 0; i < IN_FULL_AS_WELL; i++) {
      List<Errand> open = errands.stream().filter(Errand::isOpen).toList();
      List<RedisFuture<Object>> futures = new ArrayList<>();
      try {
        open.forEach(errand -> futures.add(send(errand)));
        connection.flushCommands();
      } catch (RedisException e) {
        open.forEach(errand -> errand.fail(unknown(e)));
        return Errand.replies(errands);
      }
      for (int at = 0; at < futures.size(); at++) {
        take(open.get(at), futures.get(at), deadline);
      }
    }
    return Errand.replies(errands);
  }

  private RedisFuture<Object> send(Errand errand) {
    List<byte[]> parts = errand.words();
    CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    parts.subList(1, parts.size()).forEach(args::add);
    String name = new String(parts.get(0), StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
    return connection.async().dispatch(CommandType.valueOf(name), new LettuceAnswer(), args);
  }

  private void take(Errand errand, RedisFuture<Object> future, Deadline deadline) {
    try {
      Object value = future.get(deadline.millisLeft(), TimeUnit.MILLISECONDS);
      errand.answer(value == null ? Nil.NIL : value, Reply.NOT_ASKED, address);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisCommandExecutionException error) {
        String said = String.valueOf(error.getMessage());
        errand.answer(new JedisDataException(said), Reply.NOT_ASKED, address);
      } else {
        errand.fail(unknown(e));
      }
    } catch (TimeoutException | CancellationException e) {
      // Else Lettuce sends it again when it has a connection again, however late that is.
      future.cancel(true);
      errand.fail(unknown(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      future.cancel(true);
      errand.fail(unknown(e));
    }
  }

  private EngineException unknown(Exception e) {
    return new EngineException.Unknown(address + " broke off: " + e, e);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for it.
  public void close() {
    connection.closeAsync();
  }
}
