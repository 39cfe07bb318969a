package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The endpoint {@code /actuator/holdfast}. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(Holdfast.class)
public class HoldfastEndpointAutoConfiguration {

  HoldfastEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnAvailableEndpoint(HoldfastEndpoint.class)
  @ConditionalOnMissingBean
  HoldfastEndpoint holdfastEndpoint(ListableBeanFactory beans) {
    return new HoldfastEndpoint(beans);
  }
}
