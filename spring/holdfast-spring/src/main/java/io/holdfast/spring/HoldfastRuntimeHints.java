package io.holdfast.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must keep: the engines that are found by name, and the scripts of Redis. */
final class HoldfastRuntimeHints implements RuntimeHintsRegistrar {

  private static final List<String> PROVIDERS =
      List.of(
          "io.holdfast.memory.MemoryEngineProvider",
          "io.holdfast.redis.RedisEngineProvider",
          "io.holdfast.jdbc.JdbcEngineProvider",
          "io.holdfast.zookeeper.ZooKeeperEngineProvider",
          "io.holdfast.etcd.EtcdEngineProvider",
          "io.holdfast.remote.RemoteEngineProvider");

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    hints.resources().registerPattern("META-INF/services/io.holdfast.spi.EngineProvider");
    hints.resources().registerPattern("io/holdfast/redis/*.lua");
    hints.resources().registerPattern("io/holdfast/redis/**/*.lua");
    for (String provider : PROVIDERS) {
      hints
          .reflection()
          .registerTypeIfPresent(loader, provider, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
    }
  }
}
