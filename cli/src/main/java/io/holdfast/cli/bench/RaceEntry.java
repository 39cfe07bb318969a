package io.holdfast.cli.bench;

/**
 * A contender in a race.
 *
 * @param floor whether it only shows what the store costs by itself
 * @param start connects it
 */
public record RaceEntry(String name, boolean floor, Start start) {

  /** How an entry gets to the start line. */
  @FunctionalInterface
  public interface Start {
    RoundRunner connect() throws Exception;
  }
}
