package io.holdfast.benchmarks;

import io.holdfast.rig.RedisServer;
import org.jspecify.annotations.Nullable;

/** The servers that a run starts for itself, each when it is first asked for. */
final class OwnServers implements AutoCloseable {

  private @Nullable RedisServer redis;

  /** The URI of a Redis server that keeps nothing on disk. */
  String redis() {
    if (redis == null) {
      redis = RedisServer.start();
    }
    return redis.uri();
  }

  /** Stops them. */
  @Override
  public void close() {
    if (redis != null) {
      redis.close();
    }
  }
}
