/** A lock registry of Spring Integration over Holdfast. */
@SuppressWarnings({
  "requires-automatic", // Spring's modules have no descriptors.
  "requires-transitive-automatic"
})
module io.holdfast.spring.integration {
  requires transitive io.holdfast.core;
  requires transitive spring.integration.core;
  requires spring.context;
  requires spring.core;
  requires spring.tx;
  requires static org.jspecify;

  exports io.holdfast.spring.integration;
}
