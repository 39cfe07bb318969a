package io.holdfast.etcd;

import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import java.util.Set;

/** Opens {@code etcd:} and {@code etcds:} (TLS); {@link EtcdOptions#of} describes the form. */
public final class EtcdEngineProvider implements EngineProvider {

  /** For {@link java.util.ServiceLoader}. */
  public EtcdEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("etcd", "etcds");
  }

  @Override
  public LockEngine open(String uri, Settings settings) {
    return EtcdEngine.open(EtcdOptions.of(uri), settings);
  }
}
