package io.holdfast.spring;

import io.holdfast.Hold;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import javax.sql.DataSource;

/**
 * The fence in the database of the data: the table of {@link SqlFenceGuard}.
 *
 * <p>Needs {@code holdfast-jdbc}, wherever the locks are.
 */
public final class SqlTransactionFence implements TransactionFence {

  /** The default table. */
  public static final String DEFAULT_TABLE = "holdfast_fence";

  private final String table;
  private final boolean create;
  private final Set<DataSource> created =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /**
   * Creates a fence over a table.
   *
   * @param table a plain name, with or without a schema
   * @param create whether to create the table before the first claim, if it is missing
   */
  public SqlTransactionFence(String table, boolean create) {
    this.table = table;
    this.create = create;
  }

  @Override
  public void prepare(DataSource source) throws SQLException {
    if (create && !created.contains(source)) {
      SqlFenceGuard.over(source).withTable(table).createTable();
      created.add(source);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.holdfast.LockRefusedException when the table is missing; the message has its
   *     definition
   */
  @Override
  public void claim(DataSource source, Connection connection, Hold hold, boolean shared)
      throws SQLException {
    SqlFenceGuard guard = SqlFenceGuard.over(source).withTable(table);
    if (shared) {
      guard.admit(connection, hold);
    } else {
      guard.claim(connection, hold);
    }
  }
}
