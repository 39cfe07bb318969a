package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.util.UUID;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** ShedLock's own tests of extensible providers, its fuzz test included, over a store of ours. */
@Timeout(60)
abstract class StoreContract extends AbstractExtensibleLockProviderIntegrationTest {

  private final String namespace = UUID.randomUUID().toString();
  private final Holdfast holdfast = connect(namespace);
  private final Holdfast observer = connect(namespace);
  private final HoldfastLockProvider provider = new HoldfastLockProvider(holdfast);

  private Holdfast connect(String space) {
    return Holdfast.connect(uri()).with(o -> o.withNamespace(space));
  }

  /** Returns the address of the store. */
  protected abstract String uri();

  @AfterEach
  void close() {
    holdfast.close();
    observer.close();
  }

  @Override
  protected ExtensibleLockProvider getLockProvider() {
    return provider;
  }

  @Override
  protected void assertLocked(String lockName) {
    assertThat(isTaken(lockName)).isTrue();
  }

  @Override
  protected void assertUnlocked(String lockName) {
    assertThat(isTaken(lockName)).isFalse();
  }

  /** Asks the store, over another client than the provider's. */
  private boolean isTaken(String lockName) {
    Resource resource = new Resource(namespace, "shedlock/" + lockName);
    try {
      return observer.inspector().orElseThrow().show(resource).stream()
          .anyMatch(line -> !line.tickets().isEmpty());
    } catch (EngineException e) {
      throw new AssertionError("the inspector failed", e);
    }
  }
}
