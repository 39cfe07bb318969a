package io.holdfast.spring;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.jdbc.spi.LogicalConnectionImplementor;
import org.hibernate.resource.jdbc.spi.PhysicalConnectionHandlingMode;
import org.jspecify.annotations.Nullable;

/** The JDBC connection of a session. Loaded only where Hibernate is there. */
final class HibernateConnection {

  private HibernateConnection() {}

  /**
   * Gives the connection of a session back to its pool. The session acquires another one when it
   * needs it next. Nothing happens in a transaction, while a result is still being read, and if the
   * session was opened with a connection, because it could not acquire another one by itself.
   */
  static void giveBack(EntityManager session) {
    SharedSessionContractImplementor hibernate = unwrap(session);
    if (hibernate == null || hibernate.isTransactionInProgress()) {
      return;
    }
    LogicalConnectionImplementor connection = hibernate.getJdbcCoordinator().getLogicalConnection();
    if (connection.isPhysicallyConnected()
        && connection.getConnectionHandlingMode()
            != PhysicalConnectionHandlingMode.IMMEDIATE_ACQUISITION_AND_HOLD
        && !connection.getResourceRegistry().hasRegisteredResources()) {
      var unused = connection.manualDisconnect();
    }
  }

  private static @Nullable SharedSessionContractImplementor unwrap(EntityManager session) {
    if (!session.isOpen()) {
      return null;
    }
    try {
      return session.unwrap(SharedSessionContractImplementor.class);
    } catch (PersistenceException e) {
      return null; // of another provider
    }
  }
}
