/**
 * Holdfast's core: the lock API, the engine SPI and the in-process engine. Needs nothing but the
 * JDK.
 */
@SuppressWarnings("module") // The modules of the lock service are compiled later.
module io.holdfast.core {
  requires static org.jspecify;

  exports io.holdfast;
  exports io.holdfast.memory;
  exports io.holdfast.spi;
  exports io.holdfast.spi.support;
  exports io.holdfast.spi.wire to
      io.holdfast.remote,
      io.holdfast.server;
  exports io.holdfast.runtime.client to
      io.holdfast.server;
  exports io.holdfast.runtime.lane to
      io.holdfast.server;

  uses io.holdfast.spi.EngineProvider;

  provides io.holdfast.spi.EngineProvider with
      io.holdfast.memory.MemoryEngineProvider;
}
