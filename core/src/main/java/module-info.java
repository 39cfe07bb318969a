/**
 * Holdfast's core: the lock API, the engine SPI and the in-process engine. Needs nothing but the
 * JDK.
 */
module io.holdfast.core {
  requires static org.jspecify;

  exports io.holdfast;
  exports io.holdfast.memory;
  exports io.holdfast.spi;
  exports io.holdfast.spi.support;

  uses io.holdfast.spi.EngineProvider;

  provides io.holdfast.spi.EngineProvider with
      io.holdfast.memory.MemoryEngineProvider;
}
