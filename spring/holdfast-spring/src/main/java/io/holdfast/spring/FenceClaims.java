package io.holdfast.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Claims fences in the transaction that a manager has begun. Loaded only where a fence is used. */
final class FenceClaims {

  private final String name;
  private final TransactionManager manager;
  private final BeanFactory beans;

  FenceClaims(String name, TransactionManager manager, BeanFactory beans) {
    this.name = name;
    this.manager = manager;
    this.beans = beans;
  }

  void prepare() {
    DataSource source = dataSource();
    try {
      fence().prepare(source);
    } catch (SQLException e) {
      throw translated(e);
    }
  }

  void claim(List<HeldLock> claims) {
    TransactionFence fence = fence();
    DataSource source = dataSource();
    Connection connection = DataSourceUtils.getConnection(source);
    try {
      for (HeldLock held : claims) {
        fence.claim(source, connection, held.hold(), held.side() == LockSide.READ);
      }
    } catch (SQLException e) {
      throw translated(e);
    } finally {
      DataSourceUtils.releaseConnection(connection, source);
    }
  }

  private static DataAccessException translated(SQLException e) {
    String task = "claim the fence of the hold";
    DataAccessException translated = new SQLExceptionSubclassTranslator().translate(task, null, e);
    return translated == null ? new DataAccessResourceFailureException(task, e) : translated;
  }

  private TransactionFence fence() {
    return beans
        .getBeanProvider(TransactionFence.class)
        .getIfAvailable(
            () -> {
              throw new IllegalStateException(
                  "fence = true needs a bean of type TransactionFence, such as"
                      + " SqlTransactionFence, which needs holdfast-jdbc");
            });
  }

  private DataSource dataSource() {
    if (manager instanceof ResourceTransactionManager resource
        && resource.getResourceFactory() instanceof DataSource source) {
      return source;
    }
    DataSource ofJpa = JpaDataSource.HAVE_JPA ? JpaDataSource.of(manager) : null;
    if (ofJpa == null) {
      throw new IllegalStateException(
          "the transaction manager " + name + " has no DataSource in which to claim a fence");
    }
    return ofJpa;
  }
}
