package io.holdfast.remote;

import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import java.util.Set;

/** Opens {@code http:} and {@code https:}; {@link RemoteOptions#of} describes the form. */
public final class RemoteEngineProvider implements EngineProvider {

  /** For {@link java.util.ServiceLoader}. */
  public RemoteEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("http", "https");
  }

  @Override
  public Set<String> parameters() {
    return Set.of("tokenFile");
  }

  @Override
  public LockEngine open(String uri, Settings settings) {
    return RemoteEngine.open(RemoteOptions.of(uri), settings);
  }
}
