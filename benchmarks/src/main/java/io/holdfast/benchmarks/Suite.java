package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Races and bars that belong together, so that one word asks for them. */
enum Suite {
  /** See {@link Preset}; run when nothing is asked for. */
  MEMORY(null, Preset.TIME, Preset.ROUNDS),

  /** See {@link RedisPreset}. */
  REDIS(StoreKind.REDIS, RedisPreset.TIME, RedisPreset.ROUNDS),

  /** See {@link EtcdPreset}. */
  ETCD(StoreKind.ETCD, EtcdPreset.TIME, EtcdPreset.ROUNDS),

  /** See {@link PostgresPreset}. */
  POSTGRES(StoreKind.POSTGRES, PostgresPreset.TIME, PostgresPreset.ROUNDS),

  /** See {@link MariaDbPreset}. */
  MARIADB(StoreKind.MARIADB, MariaDbPreset.TIME, MariaDbPreset.ROUNDS),

  /** See {@link SqlitePreset}. */
  SQLITE(StoreKind.SQLITE, SqlitePreset.TIME, SqlitePreset.ROUNDS),

  /** See {@link ZooKeeperPreset}. */
  ZOOKEEPER(StoreKind.ZOOKEEPER, ZooKeeperPreset.TIME, ZooKeeperPreset.ROUNDS);

  private final @Nullable StoreKind store;
  private final Duration time;
  private final int rounds;

  Suite(@Nullable StoreKind store, Duration time, int rounds) {
    this.store = store;
    this.time = time;
    this.rounds = rounds;
  }

  /** The suite of this name, if there is one. */
  static Optional<Suite> named(String word) {
    return Stream.of(values()).filter(suite -> suite.word().equals(word)).findFirst();
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it needs, of its own or given by {@code --store}; none if it stays in this process. */
  Optional<StoreKind> store() {
    return Optional.ofNullable(store);
  }

  /** The usual length of a round. */
  Duration time() {
    return time;
  }

  /** The usual number of rounds. */
  int rounds() {
    return rounds;
  }

  /**
   * The races that the options ask for.
   *
   * @throws BadOptionException when there are none
   */
  List<Race> races(Lineup lineup, Options options) {
    List<Race> races = all(lineup, options);
    List<Race> some = races.stream().filter(race -> isAskedFor(options, race.heading())).toList();
    if (some.isEmpty()) {
      throw new BadOptionException(
          "--only must be part of one of %s: --only=%s"
              .formatted(races.stream().map(Race::heading).toList(), options.only().orElse("")));
    }
    return some;
  }

  private List<Race> all(Lineup lineup, Options options) {
    String uri = store().map(kind -> lineup.store(options, kind)).orElse("");
    Duration each = options.setup().time();
    int count = options.setup().rounds();
    return switch (this) {
      case MEMORY -> Preset.races(lineup, each, count);
      case REDIS -> new RedisPreset(lineup, uri).races(each, count);
      case ETCD -> new EtcdPreset(lineup, uri).races(each, count);
      case POSTGRES -> new PostgresPreset(lineup, uri).races(each, count);
      case MARIADB -> new MariaDbPreset(lineup, uri).races(each, count);
      case SQLITE -> SqlitePreset.races(lineup, uri, each, count);
      case ZOOKEEPER -> ZooKeeperPreset.races(lineup, uri, each, count);
    };
  }

  /** The bars of those races. */
  List<Goal> goals(Options options) {
    List<Goal> goals =
        switch (this) {
          case MEMORY -> Preset.goals();
          case REDIS -> RedisPreset.goals();
          case ETCD -> EtcdPreset.goals();
          case POSTGRES -> PostgresPreset.goals();
          case MARIADB -> MariaDbPreset.goals();
          case SQLITE -> List.of();
          case ZOOKEEPER -> ZooKeeperPreset.goals();
        };
    return goals.stream().filter(goal -> isAskedFor(options, goal.heading())).toList();
  }

  private static boolean isAskedFor(Options options, String heading) {
    return options.only().map(heading::contains).orElse(true);
  }
}
