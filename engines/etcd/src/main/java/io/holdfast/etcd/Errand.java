package io.holdfast.etcd;

import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import org.jspecify.annotations.Nullable;

/** A verb on its way: asks in transactions until it has its answer. For one lane. */
interface Errand {

  /** What it is about: a transaction has one errand for each resource. */
  Resource resource();

  /** The lease that must be kept for it, if any. */
  @Nullable Session session();

  /**
   * The next transaction. May block to make a lease.
   *
   * @param alone whether no other errand shares the trip: then it need not be short
   */
  TxnRequest ask(Wire wire, boolean alone) throws EngineException;

  /**
   * The answer to what was asked last.
   *
   * @param revision of the store behind that transaction
   * @return whether the verb is complete; if not, it asks again
   */
  boolean hear(TxnResponse answer, long revision, Wire wire) throws EngineException;

  /** Completes it without an answer. */
  void fail(EngineException failure);

  /** It is complete or has failed. */
  default void over() {}
}
