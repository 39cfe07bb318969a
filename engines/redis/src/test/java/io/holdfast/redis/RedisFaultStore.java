package io.holdfast.redis;

import io.holdfast.FenceGuard;
import io.holdfast.redis.layout.Keys;
import io.holdfast.rig.faults.ServerFaultStore;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Redis servers for the fault kit. */
abstract class RedisFaultStore extends ServerFaultStore {

  /** A server by itself, which clients reach through proxies. */
  private RedisFaultStore(RedisServer server) {
    super(
        "Redis",
        new RedisEngineProvider(),
        List.of(server.process()),
        ports -> "redis://127.0.0.1:" + ports.get(0));
  }

  /** Servers that tell clients where to go. */
  RedisFaultStore(String name, List<RedisServer> servers, String uri) {
    super(name, new RedisEngineProvider(), processes(servers), uri);
  }

  /** A server by itself. */
  static RedisFaultStore of(RedisServer server) {
    return new RedisFaultStore(server) {
      @Override
      List<RedisServer> masters() {
        return List.of(server);
      }

      @Override
      RedisServer masterOf(String tag) {
        return server;
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  private static List<ServerProcess> processes(List<RedisServer> servers) {
    return servers.stream().map(RedisServer::process).toList();
  }

  /** The servers that take writes. */
  abstract List<RedisServer> masters();

  /** The one of them that has the keys of a bucket. */
  abstract RedisServer masterOf(String tag);

  /** All but the records of buckets, of which there are 4096 at most. */
  @Override
  public List<String> leftovers(String namespace) {
    return masters().stream()
        .flatMap(server -> server.call("KEYS", "{hf:*}:*").lines())
        .sorted()
        .toList();
  }

  @Override
  public FenceGuard guard() {
    return RedisFenceGuard.connect(uri());
  }

  @Override
  public void deleteHeld(String namespace, String name) {
    byte[] path = Keys.path(new Resource(namespace, name));
    int bucket = Keys.bucket(path);
    String key = new String(Keys.key(bucket, 'l', path), StandardCharsets.UTF_8);
    if (!masterOf(Keys.tagText(bucket)).call("DEL", key).equals("1")) {
      throw new AssertionError("no record of " + name);
    }
  }
}
