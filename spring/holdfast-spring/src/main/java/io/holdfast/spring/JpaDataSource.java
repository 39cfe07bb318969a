package io.holdfast.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.TransactionManager;

/** The data source below JPA's transactions. Its method works only where JPA is there. */
final class JpaDataSource {

  static final boolean HAVE_JPA =
      CallSurroundings.isPresent("org.springframework.orm.jpa.JpaTransactionManager")
          && CallSurroundings.isPresent("jakarta.persistence.EntityManagerFactory");

  private JpaDataSource() {}

  static @Nullable DataSource of(TransactionManager manager) {
    return manager instanceof JpaTransactionManager jpa ? jpa.getDataSource() : null;
  }
}
