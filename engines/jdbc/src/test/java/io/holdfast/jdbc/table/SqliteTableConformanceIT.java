package io.holdfast.jdbc.table;

import io.holdfast.jdbc.Engines;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The kit on SQLite, in a file. */
final class SqliteTableConformanceIT extends EngineConformanceKit {

  @TempDir static Path folder;

  @Override
  public EngineUnderTest open() {
    return () -> Engines.open("jdbc:sqlite:" + folder.resolve("kit.db"));
  }
}
