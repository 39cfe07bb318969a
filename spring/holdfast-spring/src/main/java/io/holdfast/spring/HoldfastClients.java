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

  /**
   * Replaces {@code ${properties}}; returns an empty text for null.
   *
   * @param where the annotation, its method and its attribute, for the message
   * @throws IllegalStateException when a property is not set and has no default
   */
  String resolve(String text, String where) {
    try {
      String resolved = beans.resolveEmbeddedValue(text);
      return resolved == null ? "" : resolved;
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          where
              + ": \""
              + text
              + "\" has a property that is not set ("
              + e.getMessage()
              + "); set it, or give it a default, ${property:default}",
          e);
    }
  }
}
