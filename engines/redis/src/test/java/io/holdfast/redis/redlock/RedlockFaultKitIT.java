package io.holdfast.redis.redlock;

import io.holdfast.redis.RedisEngineProvider;
import io.holdfast.redis.layout.Keys;
import io.holdfast.rig.faults.ServerFaultStore;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.spi.Resource;
import io.holdfast.tck.faults.EngineFaultKit;
import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultServer;
import io.holdfast.tck.faults.FaultStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The faults on three masters that vote. */
final class RedlockFaultKitIT extends EngineFaultKit {

  private static final int MASTERS = 3;

  @Override
  protected FaultStore start() {
    return new Store(Redlocks.masters(MASTERS));
  }

  @Override
  protected Set<FaultScenario> declined() {
    return Set.of(FaultScenario.F03_DEAD_WAITERS, FaultScenario.F04_LONG_LINE);
  }

  private static final class Store extends ServerFaultStore {
    private final RedisMasters masters;

    Store(RedisMasters masters) {
      super(
          "Redlock",
          new RedisEngineProvider(),
          masters.servers().stream().map(RedisServer::process).toList(),
          Store::uri);
      this.masters = masters;
    }

    private static String uri(List<Integer> ports) {
      return ports.stream()
          .map(port -> "127.0.0.1:" + port)
          .collect(Collectors.joining(",", "redlock://", "?nodeTimeout=100ms"));
    }

    /** The others are a majority. */
    @Override
    public List<FaultServer> servers() {
      return masters.servers().stream()
          .map(master -> server(master.process(), (namespace, name) -> false))
          .toList();
    }

    /** All but the records of buckets. */
    @Override
    public List<String> leftovers(String namespace) {
      return masters.servers().stream()
          .flatMap(master -> master.call("KEYS", "{hf:*}:*").lines())
          .filter(key -> !key.contains("}:b:"))
          .toList();
    }

    @Override
    public void deleteHeld(String namespace, String name) {
      byte[] path = Keys.path(new Resource(namespace, name));
      String key = new String(Keys.key(Keys.bucket(path), 'r', path), StandardCharsets.UTF_8);
      masters.servers().forEach(master -> master.call("DEL", key));
    }

    @Override
    public void close() {
      masters.close();
    }
  }
}
