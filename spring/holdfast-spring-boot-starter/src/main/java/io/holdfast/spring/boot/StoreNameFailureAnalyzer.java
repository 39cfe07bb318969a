package io.holdfast.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains that {@code holdfast.store} is not the address of a store. Spring Boot's own analyzer
 * would print the address, with its password.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StoreNameFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

  private static final ConfigurationPropertyName STORE =
      ConfigurationPropertyName.of("holdfast.store");

  StoreNameFailureAnalyzer() {}

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, BindException cause) {
    if (!cause.getName().equals(STORE) || cause.getProperty() == null) {
      return null;
    }
    String value = String.valueOf(cause.getProperty().getValue());
    if (!value.contains(":")) {
      return null;
    }
    return new FailureAnalysis(
        "holdfast.store="
            + ShownAddress.of(value)
            + " is an address; holdfast.store says which bean has the store: datasource, redis,"
            + " zookeeper or etcd.",
        "Set holdfast.url to the address, and leave holdfast.store out.",
        cause);
  }
}
