package io.holdfast.spring;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The advice and the checks of the annotations. Imported by {@link EnableHoldfast} and by the
 * starter.
 *
 * <p>Everything here is infrastructure and created before other beans, so nothing here may need a
 * client, a data source or a transaction manager to be created.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(HoldfastConfiguration.Registrar.class)
public class HoldfastConfiguration {

  HoldfastConfiguration() {}

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static HoldfastClients holdfastClients(ConfigurableListableBeanFactory beans) {
    return new HoldfastClients(beans);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LockedInterceptor holdfastLockedInterceptor(
      HoldfastClients clients, ObjectProvider<LockedSettings> settings) {
    return new LockedInterceptor(clients, orDefaults(settings));
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static HoldfastAdvisor holdfastLockedAdvisor(
      LockedInterceptor advice, ObjectProvider<LockedSettings> settings) {
    return new HoldfastAdvisor(Locked.class, advice, order(settings));
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RunOnceInterceptor holdfastRunOnceInterceptor(HoldfastClients clients) {
    return new RunOnceInterceptor(clients);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static HoldfastAdvisor holdfastRunOnceAdvisor(
      RunOnceInterceptor advice, ObjectProvider<LockedSettings> settings) {
    return new HoldfastAdvisor(RunOnce.class, advice, order(settings) - 1);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Leaders holdfastLeaders(HoldfastClients clients) {
    return new Leaders(clients);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LeaderOnlyInterceptor holdfastLeaderOnlyInterceptor(
      HoldfastClients clients, Leaders leaders) {
    return new LeaderOnlyInterceptor(clients, leaders);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static HoldfastAdvisor holdfastLeaderOnlyAdvisor(
      LeaderOnlyInterceptor advice, ObjectProvider<LockedSettings> settings) {
    return new HoldfastAdvisor(LeaderOnly.class, advice, order(settings) - 2);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static AnnotatedMethods holdfastAnnotatedMethods(
      HoldfastClients clients,
      ObjectProvider<LockedSettings> settings,
      LockedInterceptor locked,
      RunOnceInterceptor runOnce,
      LeaderOnlyInterceptor leaderOnly,
      Leaders leaders) {
    return new AnnotatedMethods(
        clients, orDefaults(settings), locked, runOnce, leaderOnly, leaders);
  }

  /** The two other advices are further outside, and an order below the smallest is the largest. */
  private static int order(ObjectProvider<LockedSettings> settings) {
    return Math.max(orDefaults(settings).order(), Ordered.HIGHEST_PRECEDENCE + 2);
  }

  private static LockedSettings orDefaults(ObjectProvider<LockedSettings> settings) {
    return settings.getIfAvailable(() -> LockedSettings.DEFAULTS);
  }

  /** Adds what depends on the class path. */
  static final class Registrar implements ImportBeanDefinitionRegistrar {

    private static final String TRANSACTION_MANAGERS = "holdfastTransactionManagers";

    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata importing, BeanDefinitionRegistry registry) {
      AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
      if (CallSurroundings.isPresent("org.springframework.transaction.TransactionExecutionListener")
          && !registry.containsBeanDefinition(TRANSACTION_MANAGERS)) {
        RootBeanDefinition definition = new RootBeanDefinition(TransactionManagers.class);
        definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
        registry.registerBeanDefinition(TRANSACTION_MANAGERS, definition);
      }
    }
  }
}
