package io.holdfast.jdbc.wire;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Connections of a pool that the program has already. */
public final class LentConnector implements Connector {

  private final DataSource source;

  /** Connections of this source. */
  public LentConnector(DataSource source) {
    this.source = source;
  }

  @Override
  public Connection connect() throws SQLException {
    return source.getConnection();
  }

  @Override
  public boolean lends() {
    return true;
  }
}
