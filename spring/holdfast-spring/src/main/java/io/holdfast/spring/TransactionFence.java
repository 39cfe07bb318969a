package io.holdfast.spring;

import io.holdfast.Hold;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Claims the fence of a hold in a transaction that has just begun. A bean of this type serves
 * {@link Locked#fence()}.
 */
public interface TransactionFence {

  /**
   * Claims as the first statement of the transaction of a connection.
   *
   * @param source where the connection is from
   * @param shared whether the hold is of {@link LockSide#READ}
   * @throws io.holdfast.StaleTokenException when the holder was overtaken; the transaction is then
   *     rolled back
   */
  void claim(DataSource source, Connection connection, Hold hold, boolean shared)
      throws SQLException;

  /**
   * Called before a fenced transaction begins, on its thread, when it has no connection yet. Does
   * nothing by default.
   */
  default void prepare(DataSource source) throws SQLException {}
}
