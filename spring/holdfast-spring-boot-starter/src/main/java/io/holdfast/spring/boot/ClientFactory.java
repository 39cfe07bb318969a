package io.holdfast.spring.boot;

import io.holdfast.AcquireTracer;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import io.holdfast.spi.LockEngine;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Creates the clients that the properties describe. */
final class ClientFactory {

  /** The name of the first client's bean. */
  private static final String MAIN = "holdfast";

  private static final int LONGEST_NAMESPACE = 63;

  private final HoldfastProperties properties;
  private final Environment environment;
  private final ObjectProvider<HoldfastListener> listeners;
  private final ObjectProvider<AcquireTracer> tracers;
  private final ObjectProvider<HoldfastCustomizer> customizers;
  private final ObjectProvider<ClientMeters> meters;

  ClientFactory(
      HoldfastProperties properties,
      Environment environment,
      ObjectProvider<HoldfastListener> listeners,
      ObjectProvider<AcquireTracer> tracers,
      ObjectProvider<HoldfastCustomizer> customizers,
      ObjectProvider<ClientMeters> meters) {
    this.properties = properties;
    this.environment = environment;
    this.listeners = listeners;
    this.tracers = tracers;
    this.customizers = customizers;
    this.meters = meters;
  }

  /** Returns the client of {@code holdfast.url}, or else over a store of a bean. */
  Holdfast main(ObjectProvider<LockEngine> engines, ObjectProvider<StoreSource> stores) {
    return open(
        MAIN,
        options(),
        options -> {
          if (StringUtils.hasText(properties.url())) {
            return Holdfast.connect(properties.url(), options);
          }
          LockEngine engine = engines.getIfAvailable();
          return engine == null
              ? Holdfast.open(source(stores.orderedStream().toList()).open(), options)
              : Holdfast.open(engine, options);
        });
  }

  private StoreSource source(List<StoreSource> all) {
    HoldfastProperties.Store named = properties.store();
    List<StoreSource> fit =
        all.stream()
            .filter(each -> named == null ? !each.onlyIfNamed() : each.store() == named)
            .toList();
    if (fit.size() == 1) {
      return fit.get(0);
    }
    List<String> there = all.stream().map(each -> each.store().text()).sorted().toList();
    if (fit.isEmpty()) {
      throw new IllegalStateException(
          (named == null
                  ? "Holdfast has no store: holdfast.url is not set"
                  : "holdfast.store=" + named.text() + " has no bean: it needs " + needs(named))
              + ", and the beans with an engine on the class path are "
              + there
              + "; set holdfast.url, such as redis://host, or memory: for one process");
    }
    throw new IllegalStateException(
        "Holdfast could use the store of several beans: set holdfast.store to one of "
            + there
            + ", or holdfast.url");
  }

  private static String needs(HoldfastProperties.Store store) {
    return switch (store) {
      case DATASOURCE -> "a DataSource, and holdfast-jdbc";
      case REDIS -> "a LettuceConnectionFactory, and holdfast-redis";
      case ZOOKEEPER -> "a Supplier<ZooKeeper> or a ZooKeeper, and holdfast-zookeeper";
      case ETCD -> "an io.grpc.Channel, and holdfast-etcd";
    };
  }

  /** Returns the client {@code holdfast.clients.NAME}. */
  Holdfast named(String name) {
    HoldfastProperties.Client client = Objects.requireNonNull(properties.clients().get(name), name);
    if (!StringUtils.hasText(client.url())) {
      throw new IllegalStateException("holdfast.clients." + name + ".url is not set");
    }
    HoldfastOptions options = options();
    if (client.namespace() != null) {
      options = options.withNamespace(client.namespace());
    }
    if (client.lease() != null) {
      options = options.withLease(client.lease());
    }
    return open(name, options, given -> Holdfast.connect(client.url(), given));
  }

  /** Meters of the program, from a bean or a customizer, are not made a second time. */
  private Holdfast open(
      String name, HoldfastOptions options, Function<HoldfastOptions, Holdfast> open) {
    ClientMeters ours = meters.getIfAvailable();
    return ours == null
            || ours.madeBy(options.listener())
            || listeners.orderedStream().anyMatch(ours::madeBy)
        ? open.apply(options)
        : ours.open(name, options, open);
  }

  private HoldfastOptions options() {
    String app = environment.getProperty("spring.application.name", "");
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS
            .withApp(app)
            .withNamespace(namespace(properties.namespace(), app))
            .withLease(properties.lease())
            .withOrder(properties.order())
            .withLanes(properties.lanes())
            .withFailFast(properties.failFast())
            .withListener(
                listeners
                    .orderedStream()
                    .reduce(HoldfastListener::and)
                    .orElse(HoldfastListener.NONE))
            .withTracer(tracers.getIfAvailable(() -> AcquireTracer.NONE));
    for (HoldfastCustomizer customizer : customizers.orderedStream().toList()) {
      options = customizer.customize(options);
    }
    return options;
  }

  /** A namespace is taken as it is; the name of an application is made one. */
  static String namespace(@Nullable String declared, String app) {
    if (StringUtils.hasText(declared)) {
      return declared;
    }
    String fit =
        app.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]", "-").replaceFirst("^[._-]+", "");
    if (fit.isEmpty()) {
      return HoldfastOptions.DEFAULTS.namespace();
    }
    return fit.substring(0, Math.min(fit.length(), LONGEST_NAMESPACE));
  }
}
