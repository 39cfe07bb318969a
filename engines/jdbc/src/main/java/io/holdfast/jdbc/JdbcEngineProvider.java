package io.holdfast.jdbc;

import io.holdfast.jdbc.connection.JdbcUri;
import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import java.util.Set;

/** Opens {@code jdbc:} addresses, whose form {@link JdbcOptions#of} describes. */
public final class JdbcEngineProvider implements EngineProvider {

  /** For {@link java.util.ServiceLoader}. */
  public JdbcEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("jdbc");
  }

  @Override
  public Set<String> parameters() {
    return JdbcUri.PARAMETERS;
  }

  @Override
  public LockEngine open(String uri, Settings settings) {
    return JdbcEngine.open(JdbcOptions.of(uri), settings);
  }
}
