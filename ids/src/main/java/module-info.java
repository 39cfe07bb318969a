/** Unique ids for many machines, on every store that Holdfast supports. */
module io.holdfast.ids {
  requires transitive io.holdfast.core;
  requires transitive java.sql;
  requires static org.jspecify;

  exports io.holdfast.ids;
}
