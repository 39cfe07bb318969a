package io.holdfast.jdbc;

import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** The faults on SQLite, in a file. */
final class SqliteTableFaultKitIT extends JdbcFaultKitIT {

  private static final AtomicInteger FILES = new AtomicInteger();

  @TempDir static Path folder;

  @Override
  protected FaultStore start() {
    return new Store("SQLite", "jdbc:sqlite:" + folder.resolve(FILES.incrementAndGet() + ".db"));
  }

  /** The database runs inside its clients, with the clock of their machine. */
  @Override
  protected Set<FaultScenario> declined() {
    return Set.of(
        FaultScenario.F07_FROZEN_STORE,
        FaultScenario.F08_KILLED_STORE,
        FaultScenario.F10_WRONG_CLOCKS,
        FaultScenario.F14_ONE_SERVER_HANGS);
  }
}
