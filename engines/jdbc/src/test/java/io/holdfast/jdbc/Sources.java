package io.holdfast.jdbc;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Plain sources of connections, as programs have them, without a pool. */
public final class Sources {

  private Sources() {}

  public static DataSource postgres(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(url);
    return source;
  }

  public static DataSource mySql(String url) {
    MysqlDataSource source = new MysqlDataSource();
    source.setUrl(url);
    return source;
  }

  public static DataSource mariaDb(String url) {
    try {
      return new MariaDbDataSource(url);
    } catch (SQLException e) {
      throw new IllegalArgumentException("not an address of MariaDB", e);
    }
  }
}
