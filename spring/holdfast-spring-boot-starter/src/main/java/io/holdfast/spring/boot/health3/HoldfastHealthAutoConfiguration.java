package io.holdfast.spring.boot.health3;

import io.holdfast.Holdfast;
import io.holdfast.spring.boot.HealthReport;
import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import io.holdfast.spring.boot.HoldfastClientsAutoConfiguration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.CompositeHealthContributor;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Health of the clients, with the types of Spring Boot 3. */
@AutoConfiguration(
    after = {HoldfastAutoConfiguration.class, HoldfastClientsAutoConfiguration.class})
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Holdfast.class)
@ConditionalOnEnabledHealthIndicator("holdfast")
public class HoldfastHealthAutoConfiguration {

  HoldfastHealthAutoConfiguration() {}

  /** One indicator for one client; one below the name of each when there are several. */
  @Bean
  @ConditionalOnMissingBean(name = {"holdfastHealthIndicator", "holdfastHealthContributor"})
  HealthContributor holdfastHealthContributor(ListableBeanFactory beans) {
    Map<String, HealthContributor> indicators = new LinkedHashMap<>();
    beans
        .getBeansOfType(Holdfast.class)
        .forEach((name, client) -> indicators.put(name, indicator(client)));
    return indicators.size() == 1
        ? indicators.values().iterator().next()
        : CompositeHealthContributor.fromMap(indicators);
  }

  private static HealthIndicator indicator(Holdfast client) {
    return () -> {
      HealthReport report = HealthReport.of(client);
      return Health.status(report.status()).withDetails(report.details()).build();
    };
  }
}
