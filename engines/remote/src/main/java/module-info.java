/** Holdfast over a lock service: the engine {@code http:} and {@code https:}. */
module io.holdfast.remote {
  requires io.holdfast.core;
  requires static org.jspecify;

  exports io.holdfast.remote;

  provides io.holdfast.spi.EngineProvider with
      io.holdfast.remote.RemoteEngineProvider;
}
