package io.holdfast.redis.wire;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.UnifiedJedis;

/**
 * Opens pipelines of a Jedis client. The method has another return type in Jedis 6, so it is found
 * by its name.
 */
final class Pipelines {

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
