package io.holdfast.etcd.wire;

/** What {@link Watches#arm} answers. */
public enum Armed {
  /** It will be woken. */
  YES,
  /** It will be woken, and there is a reason to ask at once. */
  ASK_AGAIN,
  /** There is no stream: it must ask again by itself. */
  NO
}
