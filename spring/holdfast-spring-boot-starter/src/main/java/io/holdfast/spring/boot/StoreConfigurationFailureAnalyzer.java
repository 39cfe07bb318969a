package io.holdfast.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/** Explains why there is no store. */
final class StoreConfigurationFailureAnalyzer
    extends AbstractFailureAnalyzer<StoreConfigurationException> {

  StoreConfigurationFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable root, StoreConfigurationException cause) {
    return new FailureAnalysis(
        cause.problem() + ".", StringUtils.capitalize(cause.action()) + ".", cause);
  }
}
