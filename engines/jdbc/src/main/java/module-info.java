/** Holdfast over a database: the engine {@code jdbc:}. */
@SuppressWarnings("requires-automatic") // The driver has no module descriptor.
module io.holdfast.jdbc {
  requires io.holdfast.core;
  requires transitive java.sql;
  requires static org.postgresql.jdbc;
  requires static org.checkerframework.checker.qual;
  requires static org.jspecify;

  exports io.holdfast.jdbc;
  exports io.holdfast.jdbc.guard;

  provides io.holdfast.spi.EngineProvider with
      io.holdfast.jdbc.JdbcEngineProvider;
}
