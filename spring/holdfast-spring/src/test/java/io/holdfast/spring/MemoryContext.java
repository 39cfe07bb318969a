package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

/** A context over a store in memory. */
final class MemoryContext {

  private MemoryContext() {}

  @Configuration(proxyBeanMethods = false)
  @EnableHoldfast
  static class App {

    @Bean
    Events events() {
      return new Events();
    }

    @Bean
    Holdfast holdfast(Events events) {
      return Holdfast.connect("memory:", HoldfastOptions.DEFAULTS.withListener(events));
    }
  }

  /** What the client reported. */
  static final class Events implements HoldfastListener {
    final List<Event> all = new CopyOnWriteArrayList<>();

    @Override
    public void on(Event event) {
      all.add(event);
    }

    List<String> releasedTags() {
      return all.stream().filter(Released.class::isInstance).map(event -> event.tag()).toList();
    }
  }

  /** Returns the object behind a proxy, which has the fields. */
  static <T> T target(T bean) {
    @SuppressWarnings("unchecked")
    T target = (T) AopProxyUtils.getSingletonTarget(bean);
    return target;
  }

  /** Starts a context with these beans on top; the caller closes it. */
  static AnnotationConfigApplicationContext start(Class<?>... beans) {
    return start(Map.of(), beans);
  }

  static AnnotationConfigApplicationContext start(
      Map<String, Object> properties, Class<?>... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", properties));
    context.register(App.class);
    context.register(beans);
    try {
      context.refresh();
      return context;
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }
}
