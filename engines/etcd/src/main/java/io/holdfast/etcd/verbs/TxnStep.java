package io.holdfast.etcd.verbs;

import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.session.SharedLease;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.support.VerbStep;
import org.jspecify.annotations.Nullable;

/** A verb in progress, or a piece of housekeeping: asks in transactions. Used by one lane. */
interface TxnStep extends VerbStep<TxnReply> {

  /** The resource it works on: a transaction has at most one step for each. */
  Resource resource();

  /** The lease that must be kept for it, if any. */
  default @Nullable SharedLease lease() {
    return null;
  }

  /**
   * Returns the next transaction. May block to make a lease.
   *
   * @param alone whether no other step shares the trip: then it need not be short
   */
  TxnRequest ask(EtcdConnection connection, boolean alone) throws EngineException;
}
