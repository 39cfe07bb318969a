package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The peers over a database server. */
final class DatabasePeers {

  static final String SPRING = "spring-jdbc";
  static final String SHEDLOCK = "shedlock";

  /** The floor. */
  static final String RAW_ROW = "raw-row";

  /** The floor of locks that are a session's; PostgreSQL alone. */
  static final String RAW_ADVISORY = "raw-advisory";

  /** Without the floors, which are nobody's library. */
  static final List<String> LIBRARIES = List.of(SPRING, SHEDLOCK);

  /** Makes a contender, once the server is known. */
  @FunctionalInterface
  interface Maker {
    Contender make(Database database, Duration lease);
  }

  static final Map<String, Maker> BY_NAME =
      Map.of(
          SPRING, SpringJdbcContender::new,
          SHEDLOCK, ShedLockContender::new,
          RAW_ROW, RawRowContender::new,
          RAW_ADVISORY, (database, lease) -> new RawAdvisoryContender(database));

  private DatabasePeers() {}

  /** Holdfast over this database, then the libraries there, then the floor. */
  static Entrant[] beside(String store) {
    return Stream.concat(
            Stream.of(Entrant.holdfast(store, Order.ANY)),
            Stream.concat(LIBRARIES.stream(), Stream.of(RAW_ROW))
                .map(peer -> Entrant.peer(peer, store)))
        .toArray(Entrant[]::new);
  }
}
