package io.holdfast.etcd;

/** What the next transaction of an attempt is for. */
enum Step {
  JOIN,
  LOOK,
  /** Any of the transactions that change something and are followed by another step. */
  CHANGE
}
