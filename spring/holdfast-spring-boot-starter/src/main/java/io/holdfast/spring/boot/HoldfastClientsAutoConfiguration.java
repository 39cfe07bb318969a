package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * One client for each {@code holdfast.clients.NAME}, as the bean NAME. It is injected by that
 * qualifier only.
 */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnProperty(name = "holdfast.enabled", havingValue = "true", matchIfMissing = true)
@Import(HoldfastClientsAutoConfiguration.Registrar.class)
public class HoldfastClientsAutoConfiguration {

  HoldfastClientsAutoConfiguration() {}

  static final class Registrar implements ImportBeanDefinitionRegistrar, EnvironmentAware {

    private @Nullable Environment environment;

    @Override
    public void setEnvironment(Environment given) {
      this.environment = given;
    }

    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata importing, BeanDefinitionRegistry registry) {
      Map<String, HoldfastProperties.Client> clients =
          Binder.get(Objects.requireNonNull(environment))
              .bind(
                  "holdfast.clients", Bindable.mapOf(String.class, HoldfastProperties.Client.class))
              .orElse(Map.of());
      for (String name : clients.keySet()) {
        RootBeanDefinition client = new RootBeanDefinition(Holdfast.class);
        client.setFactoryBeanName("holdfastClientFactory");
        client.setFactoryMethodName("named");
        client.getConstructorArgumentValues().addGenericArgumentValue(name);
        client.setDestroyMethodName("close");
        client.setDefaultCandidate(false);
        client.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        registry.registerBeanDefinition(name, client);
      }
    }
  }
}
