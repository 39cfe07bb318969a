package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import java.util.function.Function;

/** Adds meters to clients. Names no type of a metrics library, which may not be there. */
interface ClientMeters {

  /** Returns whether that listener makes the same meters, so that these would be a second set. */
  boolean madeBy(HoldfastListener listener);

  /**
   * Returns a client with meters.
   *
   * @param name the name of its bean
   * @param open opens a client with the given options
   */
  Holdfast open(String name, HoldfastOptions options, Function<HoldfastOptions, Holdfast> open);
}
