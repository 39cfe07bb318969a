package io.holdfast.spring;

import io.holdfast.Holdfast;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringUtils;

/**
 * Looks clients up when a method is called. Advice is created before all other beans; it must not
 * create a client, and its data source, that early.
 */
final class HoldfastClients {

  private final ConfigurableListableBeanFactory beans;

  HoldfastClients(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  /** Returns the client with this bean name or qualifier, or the only or primary one. */
  Holdfast client(String name) {
    return StringUtils.hasText(name)
        ? BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, Holdfast.class, name)
        : beans.getBean(Holdfast.class);
  }

  ConfigurableListableBeanFactory beans() {
    return beans;
  }

  /** Replaces {@code ${properties}}; returns an empty text for null. */
  String resolve(String text) {
    String resolved = beans.resolveEmbeddedValue(text);
    return resolved == null ? "" : resolved;
  }
}
