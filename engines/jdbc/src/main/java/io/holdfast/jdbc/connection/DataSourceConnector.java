package io.holdfast.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Connections of a caller-supplied data source, such as a pool. */
public final class DataSourceConnector implements Connector {

  private final DataSource source;

  /** Connections of this source. */
  public DataSourceConnector(DataSource source) {
    this.source = source;
  }

  @Override
  public Connection connect() throws SQLException {
    return source.getConnection();
  }

  @Override
  public boolean isCallerSupplied() {
    return true;
  }
}
