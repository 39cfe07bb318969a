package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;

/**
 * What one sentinel says of the master.
 *
 * @param epoch of the sentinel's configuration; it rises with every failover
 * @param failover whether this sentinel is carrying one out
 * @param promoted whether the master is the one that this failover has promoted
 */
record Named(Server master, long epoch, boolean failover, boolean promoted) {

  /** The larger, the newer: a promoted master gets the next epoch at the end of its failover. */
  long rank() {
    return 2 * epoch + (promoted ? 1 : 0);
  }

  /** Whether the master is about to be replaced. */
  boolean isFailingOver() {
    return failover && !promoted;
  }
}
