package io.holdfast.spring.boot;

import io.holdfast.HoldfastOptions;

/** Changes the options of every client that the starter creates. Beans are applied in order. */
@FunctionalInterface
public interface HoldfastCustomizer {

  /** Returns the changed options. */
  HoldfastOptions customize(HoldfastOptions options);
}
