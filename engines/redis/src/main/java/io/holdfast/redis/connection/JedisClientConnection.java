package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Response;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Calls through a caller-supplied Jedis client; each batch is a pipeline. */
final class JedisClientConnection implements LaneConnection {

  private record Sent(PendingCall pendingCall, Response<Object> response) {}

  private final UnifiedJedis jedis;
  private final String address;
  private volatile boolean closed;

  JedisClientConnection(UnifiedJedis jedis, String address) {
    this.jedis = jedis;
    this.address = address;
  }

  @Override
  public List<ScriptReply> run(List<ScriptCall> calls) {
    List<PendingCall> pendingCalls = PendingCall.of(calls);
    boolean unused = PendingCall.run(pendingCalls, this::trip);
    return PendingCall.replies(pendingCalls);
  }

  private boolean trip(List<PendingCall> pendingCalls) {
    List<Sent> sent = new ArrayList<>(pendingCalls.size());
    boolean begun = false;
    try (AbstractPipeline pipeline = pipeline()) {
      begun = true;
      for (PendingCall pendingCall : pendingCalls) {
        put(pendingCall, pipeline, sent);
      }
      pipeline.sync();
    } catch (JedisException e) {
      EngineException why = broken(begun, e);
      pendingCalls.stream()
          .filter(PendingCall::isOpen)
          .forEach(pendingCall -> pendingCall.fail(why));
      return false;
    }
    sent.forEach(each -> take(each.pendingCall, each.response));
    return true;
  }

  /** A call that no node can take fails alone: nothing of it was sent. */
  private void put(PendingCall pendingCall, AbstractPipeline pipeline, List<Sent> sent) {
    try {
      sent.add(new Sent(pendingCall, pendingCall.put(pipeline)));
    } catch (JedisClusterOperationException e) {
      pendingCall.fail(broken(false, e));
    }
  }

  private AbstractPipeline pipeline() {
    if (closed) {
      throw new JedisException("closed");
    }
    return Pipelines.of(jedis);
  }

  private EngineException broken(boolean begun, JedisException e) {
    String why = address + " lost the connection: " + e.getMessage();
    if (e instanceof JedisClusterOperationException && why.contains("multiple hash slots")) {
      return ServerErrors.of("CROSSSLOT " + e.getMessage(), "a script", address);
    }
    return begun ? new EngineException.Unknown(why, e) : new EngineException.NotDone(why, e);
  }

  private void take(PendingCall pendingCall, Response<Object> response) {
    try {
      pendingCall.answer(answer(response.get()), ScriptReply.NOT_ASKED, address);
    } catch (JedisRedirectionException e) {
      alone(pendingCall);
    } catch (JedisDataException e) {
      pendingCall.answer(e, ScriptReply.NOT_ASKED, address);
    } catch (IllegalStateException e) {
      // A pipeline to several nodes hides that the connection to one of them broke.
      pendingCall.fail(new EngineException.Unknown(address + " did not reply", e));
    }
  }

  /** Pipelines do not follow slots that have moved; single commands do. */
  private void alone(PendingCall pendingCall) {
    try {
      pendingCall.answer(answer(pendingCall.run(jedis)), ScriptReply.NOT_ASKED, address);
    } catch (JedisDataException e) {
      pendingCall.answer(e, ScriptReply.NOT_ASKED, address);
    } catch (JedisException e) {
      pendingCall.fail(broken(true, e));
    }
  }

  private static Object answer(@Nullable Object value) {
    return value == null ? ScriptReply.Nil.NIL : value;
  }

  @Override
  public ScriptReply command(byte[]... parts) {
    PendingCall pendingCall = PendingCall.of(parts);
    CommandArguments arguments = new CommandArguments(() -> parts[0]);
    for (int i = 1; i < parts.length; i++) {
      if (i == 1) {
        arguments.key(parts[i]);
      } else {
        arguments.add(parts[i]);
      }
    }
    try {
      pendingCall.answer(answer(jedis.executeCommand(arguments)), ScriptReply.NOT_ASKED, address);
    } catch (JedisDataException e) {
      pendingCall.answer(e, ScriptReply.NOT_ASKED, address);
    } catch (JedisException e) {
      pendingCall.fail(broken(true, e));
    }
    return PendingCall.replies(List.of(pendingCall)).get(0);
  }

  @Override
  public void close() {
    closed = true;
  }

  /**
   * Opens pipelines of a Jedis client. The method has another return type in Jedis 6, so it is
   * found by its name.
   */
  private static final class Pipelines {

    private static final MethodHandle OPEN = open();

    private Pipelines() {}

    static AbstractPipeline of(UnifiedJedis jedis) {
      try {
        return (AbstractPipeline) OPEN.invokeExact(jedis);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("a pipeline was not opened", e);
      }
    }

    private static MethodHandle open() {
      try {
        return MethodHandles.publicLookup()
            .unreflect(UnifiedJedis.class.getMethod("pipelined"))
            .asType(MethodType.methodType(AbstractPipeline.class, UnifiedJedis.class));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("this Jedis has no pipelines: use Jedis 6.0 to 8.x", e);
      }
    }
  }
}
