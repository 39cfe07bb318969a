/** For users' tests, a sandbox; for engine authors, the conformance kit and the fault kit. */
module io.holdfast.tck {
  requires static org.jspecify;
  requires java.management;
  requires transitive io.holdfast.core;
  requires transitive org.junit.jupiter.api;
  requires org.assertj.core;

  exports io.holdfast.tck;
  exports io.holdfast.tck.conformance;
  exports io.holdfast.tck.faults;

  // JUnit finds and calls the tests of the kits by reflection.
  opens io.holdfast.tck.conformance to
      org.junit.platform.commons;
  opens io.holdfast.tck.faults to
      org.junit.platform.commons;
}
