package io.holdfast.spring;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Adds a {@link HoldTransactionListener} to every transaction manager of the context. */
final class TransactionManagers implements BeanPostProcessor {

  private final BeanFactory beans;

  TransactionManagers(BeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof ConfigurableTransactionManager manager) {
      manager.addListener(new HoldTransactionListener(name, manager, beans));
    }
    return bean;
  }
}
