package io.holdfast.spring.boot;

import io.holdfast.spring.boot.HoldfastProperties.Store;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;

/**
 * The bean that a store is taken from.
 *
 * @param label the property and the bean, for messages
 */
record StoreBean<T>(T bean, String name, String label) {

  /**
   * Returns the only or primary bean of a type.
   *
   * @throws StoreConfigurationException if there are several and none is primary
   */
  static <T> StoreBean<T> only(AutowireCapableBeanFactory beans, Store store, Class<T> type) {
    try {
      NamedBeanHolder<T> found = beans.resolveNamedBean(type);
      String name = found.getBeanName();
      return new StoreBean<>(
          found.getBeanInstance(),
          name,
          "holdfast.store=" + store.text() + ", bean '" + name + "'");
    } catch (NoUniqueBeanDefinitionException e) {
      throw several(store, type.getSimpleName(), e);
    }
  }

  /** Returns what to throw if several beans could serve. */
  static StoreConfigurationException several(
      Store store, String type, NoUniqueBeanDefinitionException cause) {
    return new StoreConfigurationException(
        "holdfast.store="
            + store.text()
            + ": there are several beans of type "
            + type
            + " and none is primary: "
            + cause.getBeanNamesFound(),
        "mark one with @Primary, or set holdfast.url",
        cause);
  }
}
