package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.Db;
import java.sql.Connection;
import java.util.UUID;
import javax.sql.DataSource;

class H2GuardsTest implements GuardRules, ColumnRules, LateHolderRules, VersionedRules {

  private static final DataSource SOURCE = Db.h2("guards-" + UUID.randomUUID());

  @Override
  public DataSource source() {
    return SOURCE;
  }

  @Override
  public boolean isConflict(int isolation) {
    return isolation != Connection.TRANSACTION_READ_COMMITTED;
  }

  @Override
  public boolean sharersMeet() {
    return false;
  }

  @Override
  public String toString() {
    return "H2";
  }
}
