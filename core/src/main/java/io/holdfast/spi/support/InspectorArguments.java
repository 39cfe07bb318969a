package io.holdfast.spi.support;

import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;

/**
 * Checks the arguments of an {@link EngineInspector}, in the same words for every engine.
 *
 * <p>An inspector calls these before it contacts the store, so that a wrong argument is reported
 * even while the store is down, and changes nothing.
 */
public final class InspectorArguments {

  private InspectorArguments() {}

  /**
   * Checks what {@link EngineInspector#list} was asked for.
   *
   * @throws IllegalArgumentException when the namespace is not well formed, or the limit is not 1
   *     to {@link EngineInspector#MAX_PAGE}
   */
  public static void requirePage(String namespace, int limit) {
    Resource.requireNamespace(namespace);
    if (limit < 1 || limit > EngineInspector.MAX_PAGE) {
      throw new IllegalArgumentException(
          "limit must be 1.." + EngineInspector.MAX_PAGE + ": limit=" + limit);
    }
  }

  /**
   * Checks the reason of {@link EngineInspector#revoke} and {@link EngineInspector#evict}.
   *
   * @throws IllegalArgumentException when the reason is blank
   */
  public static void requireReason(Resource resource, String reason) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException(
          "a reason must not be blank, because the holder sees it: state one for " + resource);
    }
  }
}
