package io.holdfast.spring;

import io.holdfast.Hold;
import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * The fence in the database of the data: the table of {@link SqlFenceGuard}.
 *
 * <p>Needs {@code holdfast-jdbc} and {@code spring-jdbc}, wherever the locks are.
 */
public final class SqlTransactionFence implements TransactionFence {

  /** The default table. */
  public static final String DEFAULT_TABLE = "holdfast_fence";

  private final String table;
  private final boolean create;
  private final Set<DataSource> created =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final Set<Database> createdBehindRouting = ConcurrentHashMap.newKeySet();

  /**
   * Creates a fence over a table.
   *
   * @param table a plain name, with or without a schema
   * @param create whether to create the table before the first claim, if it is missing
   * @throws IllegalArgumentException when the name of the table is not plain
   */
  public SqlTransactionFence(String table, boolean create) {
    SqlFenceGuard unused = guard(new DriverManagerDataSource(), table); // checks the name
    this.table = table;
    this.create = create;
  }

  @Override
  public void prepare(DataSource source) throws SQLException {
    if (!create || created.contains(source)) {
      return;
    }
    if (source.isWrapperFor(AbstractRoutingDataSource.class)) {
      Database database = Database.of(source);
      if (!createdBehindRouting.contains(database)) {
        createTable(source);
        createdBehindRouting.add(database);
      }
    } else {
      createTable(source);
      created.add(source);
    }
  }

  private void createTable(DataSource source) throws SQLException {
    guard(source, table).createTable();
  }

  private static SqlFenceGuard guard(DataSource source, String table) {
    return SqlFenceGuard.over(source).withTable(table);
  }

  /** Where a routing source leads for this call: such as to the database of one tenant. */
  private record Database(
      String url, @Nullable String user, @Nullable String catalog, @Nullable String schema) {

    static Database of(DataSource source) throws SQLException {
      try (Connection connection = source.getConnection()) {
        DatabaseMetaData data = connection.getMetaData();
        return new Database(
            data.getURL(), data.getUserName(), connection.getCatalog(), connection.getSchema());
      }
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws LockRefusedException when the table is missing; the message has its definition
   */
  @Override
  public void claim(DataSource source, Connection connection, Hold hold, boolean shared)
      throws SQLException {
    SqlFenceGuard guard = guard(source, table);
    try {
      if (shared) {
        guard.admit(connection, hold);
      } else {
        guard.claim(connection, hold);
      }
    } catch (LockRefusedException e) {
      if (create || !(e.getCause() instanceof SQLException)) {
        throw e; // Not because the table is missing, or not for want of this setting.
      }
      throw new LockRefusedException(missing(hold, guard.definition(connection)), e);
    }
  }

  private String missing(Hold hold, String definition) {
    return "the fence of \""
        + hold.name()
        + "\" has no table "
        + table
        + " in this database, so nothing may be written; set holdfast.fence.create=true, which"
        + " creates it before the first claim (without Spring Boot: new SqlTransactionFence(\""
        + table
        + "\", true)), or run: "
        + definition;
  }
}
