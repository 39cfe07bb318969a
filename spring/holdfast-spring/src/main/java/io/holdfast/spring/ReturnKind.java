package io.holdfast.spring;

/** How a method ends: it decides how long the hold lasts. */
enum ReturnKind {
  /** When it returns. */
  BLOCKING,
  /** When the stage that it returns completes. */
  FUTURE,
  /** When the publisher that it returns ends, for each subscription. */
  PUBLISHER
}
