package io.holdfast.memory;

import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Opens {@code memory:}, a private store, and {@code memory:NAME}, a store shared in the JVM.
 *
 * <p>A shared store exists while an engine has it open.
 */
public final class MemoryEngineProvider implements EngineProvider {

  private static final String PREFIX = "memory:";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  /** For {@link java.util.ServiceLoader}. */
  public MemoryEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("memory");
  }

  @Override
  public LockEngine open(String uri, Settings settings) {
    if (uri.equals(PREFIX)) {
      return MemoryEngine.create(settings.nanoTime(), settings.epochMicros());
    }
    if (uri.startsWith(PREFIX) && NAME.matcher(uri.substring(PREFIX.length())).matches()) {
      return MemoryEngine.shared(
          uri.substring(PREFIX.length()), settings.nanoTime(), settings.epochMicros());
    }
    throw new IllegalArgumentException(
        "uri must be memory: or memory:NAME, where NAME matches "
            + NAME.pattern()
            + ", without host and parameters; the address is not shown, it may hold a secret");
  }
}
