package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.Dialect;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The database as all lanes of a client share it: connections, error messages, timeout, clock.
 *
 * @param timeout of one operation
 * @param retries how many statements and transactions were run again
 */
public record JdbcStore(
    Connector connector,
    Dialect dialect,
    StoreErrors errors,
    Duration timeout,
    LongSupplier nanoTime,
    LongAdder retries,
    ConnectionOpener opener) {

  /** Creates a store without connections yet. */
  public JdbcStore(
      Connector connector,
      Dialect dialect,
      StoreErrors errors,
      Duration timeout,
      LongSupplier nanoTime,
      LongAdder retries) {
    this(
        connector,
        dialect,
        errors,
        timeout,
        nanoTime,
        retries,
        new ConnectionOpener(connector, dialect, errors.address(), timeout));
  }
}
