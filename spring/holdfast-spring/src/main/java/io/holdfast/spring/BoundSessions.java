package io.holdfast.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The JPA sessions that are bound to the calling thread. Loaded only where JPA is there. */
final class BoundSessions {

  private BoundSessions() {}

  static boolean areBound() {
    return !sessions().isEmpty();
  }

  private static Map<Object, Object> sessions() {
    Map<Object, Object> sessions = new LinkedHashMap<>();
    TransactionSynchronizationManager.getResourceMap()
        .forEach(
            (key, value) -> {
              if (value instanceof EntityManagerHolder) {
                sessions.put(key, value);
              }
            });
    return sessions;
  }

  /** Runs without them and binds them again. */
  static @Nullable Object without(HoldChain.Body body) throws Throwable {
    Map<Object, Object> sessions = sessions();
    sessions.keySet().forEach(TransactionSynchronizationManager::unbindResource);
    try {
      return body.run();
    } finally {
      sessions.forEach(TransactionSynchronizationManager::bindResource);
    }
  }
}
