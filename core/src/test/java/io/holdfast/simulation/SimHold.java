package io.holdfast.simulation;

import io.holdfast.runtime.hold.HoldHandle;

/** A hold as the rules see it. */
final class SimHold {

  final SimClient client;
  final HoldHandle hold;
  final int weight;

  /** The highest token that any holder had seen when this one was requested. */
  final long floor;

  /** Which hold of the simulation it is, in the order in which they began. */
  long number;

  /** How often its loss was reported. */
  int notices;

  SimHold(SimClient client, HoldHandle hold, int weight, long floor) {
    this.client = client;
    this.hold = hold;
    this.weight = weight;
    this.floor = floor;
  }
}
