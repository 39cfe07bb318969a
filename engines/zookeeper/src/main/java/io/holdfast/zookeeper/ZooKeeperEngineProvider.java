package io.holdfast.zookeeper;

import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import java.util.Set;

/** Opens {@code zookeeper:}; {@link ZooKeeperOptions#of} has the form of the addresses. */
public final class ZooKeeperEngineProvider implements EngineProvider {

  /** For {@link java.util.ServiceLoader}. */
  public ZooKeeperEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("zookeeper");
  }

  @Override
  public LockEngine open(String uri, Settings settings) {
    return ZooKeeperEngine.open(ZooKeeperOptions.of(uri), settings);
  }
}
