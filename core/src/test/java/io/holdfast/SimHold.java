package io.holdfast;

/** A hold as the rules see it. */
final class SimHold {

  final SimClient client;
  final HeldLock hold;
  final int weight;

  /** The highest token that anybody had seen when this one was asked for. */
  final long floor;

  /** Which hold of the simulation it is, in the order in which they began. */
  long number;

  /** How often its loss was told. */
  int notices;

  SimHold(SimClient client, HeldLock hold, int weight, long floor) {
    this.client = client;
    this.hold = hold;
    this.weight = weight;
    this.floor = floor;
  }
}
