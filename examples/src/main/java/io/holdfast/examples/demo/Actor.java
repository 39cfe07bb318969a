package io.holdfast.examples.demo;

/** Who has a lane in the timeline. */
interface Actor {

  String name();

  /** Its place in the timeline. */
  int column();
}
