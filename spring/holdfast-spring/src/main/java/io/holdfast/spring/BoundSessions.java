package io.holdfast.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronization;
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
    if (!areBound()) {
      return body.run();
    }
    Synchronizations suspended = Synchronizations.suspend();
    Map<Object, Object> sessions = sessions();
    sessions.keySet().forEach(TransactionSynchronizationManager::unbindResource);
    try {
      return body.run();
    } finally {
      sessions.forEach(TransactionSynchronizationManager::bindResource);
      if (suspended != null) {
        suspended.resume();
      }
    }
  }

  /**
   * What is synchronized with the scope of the caller, which is no transaction but may look like
   * one: of SUPPORTS. It binds and unbinds its own session, so that one that has gone would fail a
   * transaction that begins in the call, and a session of the call would stay in that scope.
   */
  private record Synchronizations(
      List<TransactionSynchronization> all,
      @Nullable String name,
      boolean readOnly,
      @Nullable Integer isolation) {

    static @Nullable Synchronizations suspend() {
      if (!TransactionSynchronizationManager.isSynchronizationActive()) {
        return null;
      }
      Synchronizations suspended =
          new Synchronizations(
              TransactionSynchronizationManager.getSynchronizations(),
              TransactionSynchronizationManager.getCurrentTransactionName(),
              TransactionSynchronizationManager.isCurrentTransactionReadOnly(),
              TransactionSynchronizationManager.getCurrentTransactionIsolationLevel());
      suspended.all.forEach(TransactionSynchronization::suspend);
      TransactionSynchronizationManager.clear();
      return suspended;
    }

    void resume() {
      TransactionSynchronizationManager.initSynchronization();
      TransactionSynchronizationManager.setCurrentTransactionName(name);
      TransactionSynchronizationManager.setCurrentTransactionReadOnly(readOnly);
      TransactionSynchronizationManager.setCurrentTransactionIsolationLevel(isolation);
      for (TransactionSynchronization each : all) {
        each.resume();
        TransactionSynchronizationManager.registerSynchronization(each);
      }
    }
  }
}
