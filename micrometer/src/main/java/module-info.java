/** Meters and observations of Holdfast clients, for Micrometer. */
@SuppressWarnings({
  "requires-automatic", // Micrometer has no module descriptors.
  "requires-transitive-automatic"
})
module io.holdfast.micrometer {
  requires transitive io.holdfast.core;
  requires transitive micrometer.core;
  requires transitive micrometer.observation;
  requires micrometer.commons;
  requires static org.jspecify;

  exports io.holdfast.micrometer;
}
