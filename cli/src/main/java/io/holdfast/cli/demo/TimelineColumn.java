package io.holdfast.cli.demo;

/** A participant with its own column in the timeline. */
interface TimelineColumn {

  String name();

  /** Its place in the timeline. */
  int column();
}
