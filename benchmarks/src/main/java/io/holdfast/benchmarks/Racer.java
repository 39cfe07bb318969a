package io.holdfast.benchmarks;

/**
 * One that takes part in a race.
 *
 * @param floor whether it only shows what the store costs by itself
 * @param start connects it
 */
record Racer(String name, boolean floor, Start start) {

  /** How a racer gets to the start line. */
  @FunctionalInterface
  interface Start {
    Runner connect() throws Exception;
  }
}
