package io.holdfast.spring.boot;

import io.holdfast.Health;
import io.holdfast.Holdfast;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of a client, for the health indicators of both lines of Spring Boot.
 *
 * @param status UP, DOWN or OUT_OF_SERVICE
 */
public record HealthReport(String status, Map<String, Object> details) {

  /** Asks a client. Blocks up to the operation timeout when its last reply is not recent. */
  public static HealthReport of(Holdfast holdfast) {
    Health health = holdfast.health();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", holdfast.traits().store());
    details.put("detail", health.detail());
    details.put("held", health.held());
    details.put("waiting", health.waiting());
    if (!health.warnings().isEmpty()) {
      details.put("warnings", health.warnings());
    }
    String status =
        switch (health.status()) {
          case UP, WARN -> "UP";
          case DOWN -> "DOWN";
          case CLOSED -> "OUT_OF_SERVICE";
        };
    return new HealthReport(status, details);
  }
}
