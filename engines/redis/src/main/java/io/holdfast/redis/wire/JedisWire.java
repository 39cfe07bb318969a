package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
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

/** Calls through somebody's Jedis client: each batch is a pipeline. */
final class JedisWire implements Wire {

  private static final int IN_FULL_AS_WELL = 2;

  private record Sent(Errand errand, Response<Object> response) {}

  private final UnifiedJedis jedis;
  private final String address;
  private volatile boolean closed;

  JedisWire(UnifiedJedis jedis, String address) {
    this.jedis = jedis;
    this.address = address;
  }

  @Override
  public List<Reply> run(List<Call> calls) {
    List<Errand> errands = Errand.of(calls);
    for (int i = 0; i < IN_FULL_AS_WELL; i++) {
      List<Errand> open = errands.stream().filter(Errand::isOpen).toList();
      if (!open.isEmpty()) {
        trip(open);
      }
    }
    return Errand.replies(errands);
  }

  private void trip(List<Errand> errands) {
    List<Sent> sent = new ArrayList<>(errands.size());
    boolean begun = false;
    try (AbstractPipeline pipeline = pipeline()) {
      begun = true;
      for (Errand errand : errands) {
        put(errand, pipeline, sent);
      }
      pipeline.sync();
    } catch (JedisException e) {
      EngineException why = broken(begun, e);
      errands.stream().filter(Errand::isOpen).forEach(errand -> errand.fail(why));
      return;
    }
    sent.forEach(each -> take(each.errand, each.response));
  }

  /** One that no node can take fails by itself: nothing of it was sent. */
  private void put(Errand errand, AbstractPipeline pipeline, List<Sent> sent) {
    try {
      sent.add(new Sent(errand, errand.put(pipeline)));
    } catch (JedisClusterOperationException e) {
      errand.fail(broken(false, e));
    }
  }

  private AbstractPipeline pipeline() {
    if (closed) {
      throw new JedisException("closed");
    }
    return Pipelines.of(jedis);
  }

  private EngineException broken(boolean begun, JedisException e) {
    String why = address + " broke off: " + e.getMessage();
    if (e instanceof JedisClusterOperationException && why.contains("multiple hash slots")) {
      return ServerErrors.of("CROSSSLOT " + e.getMessage(), "a script", address);
    }
    return begun ? new EngineException.Unknown(why, e) : new EngineException.NotDone(why, e);
  }

  private void take(Errand errand, Response<Object> response) {
    try {
      errand.answer(answer(response.get()), Reply.NOT_ASKED, address);
    } catch (JedisRedirectionException e) {
      alone(errand);
    } catch (JedisDataException e) {
      errand.answer(e, Reply.NOT_ASKED, address);
    } catch (IllegalStateException e) {
      // A pipeline to several nodes swallows that one of them broke off.
      errand.fail(new EngineException.Unknown(address + " gave no answer", e));
    }
  }

  /** Pipelines do not follow slots that have moved; single commands do. */
  private void alone(Errand errand) {
    try {
      errand.answer(answer(errand.run(jedis)), Reply.NOT_ASKED, address);
    } catch (JedisDataException e) {
      errand.answer(e, Reply.NOT_ASKED, address);
    } catch (JedisException e) {
      errand.fail(broken(true, e));
    }
  }

  private static Object answer(@Nullable Object value) {
    return value == null ? Nil.NIL : value;
  }

  @Override
  public Reply command(byte[]... parts) {
    Errand errand = Errand.of(parts);
    CommandArguments arguments = new CommandArguments(() -> parts[0]);
    for (int i = 1; i < parts.length; i++) {
      if (i == 1) {
        arguments.key(parts[i]);
      } else {
        arguments.add(parts[i]);
      }
    }
    try {
      errand.answer(answer(jedis.executeCommand(arguments)), Reply.NOT_ASKED, address);
    } catch (JedisDataException e) {
      errand.answer(e, Reply.NOT_ASKED, address);
    } catch (JedisException e) {
      errand.fail(broken(true, e));
    }
    return Errand.replies(List.of(errand)).get(0);
  }

  @Override
  public void close() {
    closed = true;
  }
}
