package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.spi.EngineProvider.Settings;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The database and the settings that every mode of the engine is built from.
 *
 * @param url the driver's URL, with secrets
 * @param address the same without secrets, for messages
 * @param prefix the beginning of all table names
 * @param create whether missing tables are created
 */
public record StoreConfig(
    Dialect dialect,
    Connector connector,
    String url,
    String address,
    String prefix,
    boolean create,
    Settings settings) {

  /**
   * Returns a store without connections yet.
   *
   * @param creates the statements that create its tables, for messages about missing ones
   */
  public JdbcStore store(List<String> creates) {
    return new JdbcStore(
        connector,
        dialect,
        new StoreErrors(dialect, address, creates),
        settings.operationTimeout(),
        settings.nanoTime(),
        new LongAdder());
  }

  /** Returns whether other processes see the locks. */
  public boolean isShared() {
    return dialect.isShared(url);
  }

  /** Returns whether committed data survives a crash of the database. */
  public boolean isDurable() {
    return dialect.isDurable(url);
  }
}
