package io.holdfast.etcd.verbs;

import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.connection.EtcdConnection;
import java.util.List;

/**
 * The reply to the transaction of one step.
 *
 * @param revision of the store after the whole transaction
 * @param connection for further requests
 */
record TxnReply(TxnResponse txn, long revision, EtcdConnection connection) {

  /** Returns whether the comparisons held. */
  boolean succeeded() {
    return txn.getSucceeded();
  }

  /** Returns the reply to each operation of the branch that was taken. */
  List<ResponseOp> parts() {
    return txn.getResponsesList();
  }
}
