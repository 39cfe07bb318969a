package io.holdfast.spring;

import jakarta.persistence.EntityManager;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The JPA sessions that are bound to the calling thread. Loaded only where JPA is there. */
final class BoundSessions {

  private static final System.Logger LOG = System.getLogger("io.holdfast.spring");

  private static volatile boolean hibernate =
      CallSurroundings.isPresent("org.hibernate.engine.spi.SharedSessionContractImplementor");

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

  /** Runs without them and their connections, and binds them again. */
  static @Nullable Object without(HoldChain.Body body) throws Throwable {
    if (!areBound()) {
      return body.run();
    }
    List<EntityManager> all = entityManagers();
    Synchronizations suspended = Synchronizations.suspend();
    Map<Object, Object> sessions = sessions();
    sessions.keySet().forEach(TransactionSynchronizationManager::unbindResource);
    try {
      giveBackConnections(all);
      return body.run();
    } finally {
      sessions.forEach(TransactionSynchronizationManager::bindResource);
      if (suspended != null) {
        suspended.resume();
      }
    }
  }

  /**
   * Gives the connections of the sessions back to their pool. A request would hold one while its
   * locked call waits for another, and enough of such requests would wait for each other.
   */
  static void giveBackConnections() {
    giveBackConnections(entityManagers());
  }

  private static List<EntityManager> entityManagers() {
    return sessions().values().stream()
        .map(holder -> entityManager((EntityManagerHolder) holder))
        .filter(Objects::nonNull)
        .toList();
  }

  private static @Nullable EntityManager entityManager(EntityManagerHolder holder) {
    try {
      return holder.getEntityManager();
    } catch (IllegalStateException e) {
      return null; // Spring 7: of a stateless session, which cannot be reached
    }
  }

  private static void giveBackConnections(List<EntityManager> sessions) {
    if (!hibernate) {
      return;
    }
    try {
      sessions.forEach(HibernateConnection::giveBack);
    } catch (LinkageError e) {
      hibernate = false;
      LOG.log(
          System.Logger.Level.WARNING,
          "JPA sessions keep their connections while a locked method runs: this version of"
              + " Hibernate is not known; set spring.jpa.open-in-view=false, or use a pool with two"
              + " connections for each request",
          e);
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
