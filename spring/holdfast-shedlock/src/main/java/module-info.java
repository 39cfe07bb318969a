/** A lock provider of ShedLock over Holdfast. */
module io.holdfast.shedlock {
  requires transitive io.holdfast.core;
  requires transitive net.javacrumbs.shedlock.core;
  requires static org.jspecify;

  exports io.holdfast.shedlock;
}
