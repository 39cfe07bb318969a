package io.holdfast.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.jdbc.JdbcOptions;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Address and login of a DataSource, read without connecting: the application must start while the
 * database is down.
 */
record DataSourceAddress(String url, @Nullable String user, @Nullable String password) {

  private static final boolean HIKARI =
      ClassUtils.isPresent(
          "com.zaxxer.hikari.HikariDataSource", DataSourceAddress.class.getClassLoader());

  /**
   * Reads the address of the pool, or else of {@code spring.datasource}.
   *
   * @throws StoreConfigurationException when neither is known
   */
  static DataSourceAddress of(DataSource source, Environment environment) {
    DataSourceAddress ofPool = HIKARI ? Hikari.address(source) : null;
    if (ofPool != null) {
      return ofPool;
    }
    String url = environment.getProperty("spring.datasource.url");
    if (!StringUtils.hasText(url)) {
      throw new StoreConfigurationException(
          "the address of the DataSource is not known without asking it",
          "set holdfast.url to the address of the database, such as jdbc:postgresql://db/app");
    }
    return new DataSourceAddress(
        url,
        environment.getProperty("spring.datasource.username"),
        environment.getProperty("spring.datasource.password"));
  }

  JdbcOptions options() {
    JdbcOptions options = JdbcOptions.of(url);
    return user == null ? options : options.withLogin(user, password == null ? "" : password);
  }

  @Override
  public String toString() {
    return "DataSourceAddress";
  }

  /** Loaded only where HikariCP is there. */
  private static final class Hikari {

    static @Nullable DataSourceAddress address(DataSource source) {
      try {
        HikariDataSource pool =
            source instanceof HikariDataSource itself
                ? itself
                : source.isWrapperFor(HikariDataSource.class)
                    ? source.unwrap(HikariDataSource.class)
                    : null;
        return pool == null || pool.getJdbcUrl() == null
            ? null
            : new DataSourceAddress(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
      } catch (SQLException | RuntimeException e) {
        // Such as a routing source, which looks for the tenant of the call: there is none here.
        return null;
      }
    }
  }
}
