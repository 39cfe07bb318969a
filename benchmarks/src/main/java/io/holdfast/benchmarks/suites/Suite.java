package io.holdfast.benchmarks.suites;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.StoreKind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A named set of races and bars. */
public enum Suite {
  /** See {@link MemorySuite}; the default. */
  MEMORY(
      null,
      MemorySuite.TIME,
      MemorySuite.ROUNDS,
      (factory, store, time, rounds) -> MemorySuite.races(factory, time, rounds),
      MemorySuite::goals),

  /** See {@link RedisSuite}. */
  REDIS(
      StoreKind.REDIS,
      RedisSuite.TIME,
      RedisSuite.ROUNDS,
      (factory, store, time, rounds) -> new RedisSuite(factory, store).races(time, rounds),
      RedisSuite::goals),

  /** See {@link EtcdSuite}. */
  ETCD(
      StoreKind.ETCD,
      EtcdSuite.TIME,
      EtcdSuite.ROUNDS,
      (factory, store, time, rounds) -> new EtcdSuite(factory, store).races(time, rounds),
      EtcdSuite::goals),

  /** See {@link PostgresSuite}. */
  POSTGRES(
      StoreKind.POSTGRES,
      PostgresSuite.TIME,
      PostgresSuite.ROUNDS,
      (factory, store, time, rounds) -> new PostgresSuite(factory, store).races(time, rounds),
      PostgresSuite::goals),

  /** See {@link MariaDbSuite}. */
  MARIADB(
      StoreKind.MARIADB,
      MariaDbSuite.TIME,
      MariaDbSuite.ROUNDS,
      (factory, store, time, rounds) -> new MariaDbSuite(factory, store).races(time, rounds),
      MariaDbSuite::goals),

  /** See {@link SqliteSuite}. */
  SQLITE(StoreKind.SQLITE, SqliteSuite.TIME, SqliteSuite.ROUNDS, SqliteSuite::races, List::of),

  /** See {@link ZooKeeperSuite}. */
  ZOOKEEPER(
      StoreKind.ZOOKEEPER,
      ZooKeeperSuite.TIME,
      ZooKeeperSuite.ROUNDS,
      ZooKeeperSuite::races,
      ZooKeeperSuite::goals);

  private interface Races {
    List<Race> of(RaceFactory factory, String store, Duration time, int rounds);
  }

  private final @Nullable StoreKind store;
  private final Duration time;
  private final int rounds;

  @SuppressWarnings("ImmutableEnumChecker") // a method without state
  private final Races races;

  @SuppressWarnings("ImmutableEnumChecker") // a method without state
  private final Supplier<List<Goal>> goals;

  Suite(
      @Nullable StoreKind store,
      Duration time,
      int rounds,
      Races races,
      Supplier<List<Goal>> goals) {
    this.store = store;
    this.time = time;
    this.rounds = rounds;
    this.races = races;
    this.goals = goals;
  }

  /** Returns the suite of this name, if there is one. */
  public static Optional<Suite> named(String word) {
    return Stream.of(values()).filter(suite -> suite.word().equals(word)).findFirst();
  }

  /** Its name on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The store that it needs; empty if it stays in this process. */
  public Optional<StoreKind> store() {
    return Optional.ofNullable(store);
  }

  /** The default length of a round. */
  public Duration time() {
    return time;
  }

  /** The default number of rounds. */
  public int rounds() {
    return rounds;
  }

  /**
   * Returns its races on a store.
   *
   * @param only what the heading of a race must contain
   * @throws CliException if no heading does
   */
  public List<Race> races(
      RaceFactory factory, String uri, Duration each, int count, Optional<String> only) {
    List<Race> all = races.of(factory, uri, each, count);
    List<Race> some = all.stream().filter(race -> matches(only, race.heading())).toList();
    if (some.isEmpty()) {
      throw new CliException(
          ExitCode.USAGE,
          "--only must be part of one of %s: --only=%s"
              .formatted(all.stream().map(Race::heading).toList(), only.orElse("")));
    }
    return some;
  }

  /** Returns the bars of those races. */
  public List<Goal> goals(Optional<String> only) {
    return goals.get().stream().filter(goal -> matches(only, goal.heading())).toList();
  }

  private static boolean matches(Optional<String> only, String heading) {
    return only.map(heading::contains).orElse(true);
  }
}
