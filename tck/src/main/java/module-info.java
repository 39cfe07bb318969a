/** For engine authors, the conformance kit; for users' tests, a sandbox in manual time. */
module io.holdfast.tck {
  requires static org.jspecify;
  requires java.management;
  requires transitive io.holdfast.core;
  requires transitive org.junit.jupiter.api;
  requires org.assertj.core;

  exports io.holdfast.tck;

  // The tests of the kit are found and called by reflection.
  opens io.holdfast.tck to
      org.junit.platform.commons;
}
