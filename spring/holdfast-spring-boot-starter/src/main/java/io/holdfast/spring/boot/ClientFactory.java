package io.holdfast.spring.boot;

import io.holdfast.AcquireTracer;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.support.EngineModules;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Creates the clients that the properties describe. */
final class ClientFactory {

  /** The name of the first client's bean. */
  private static final String MAIN = "holdfast";

  private static final int LONGEST_NAMESPACE = 63;

  private final HoldfastProperties properties;
  private final Environment environment;
  private final ConfigurableListableBeanFactory beans;
  private final ObjectProvider<HoldfastListener> listeners;
  private final ObjectProvider<AcquireTracer> tracers;
  private final ObjectProvider<HoldfastCustomizer> customizers;
  private final ObjectProvider<ClientMeters> meters;

  ClientFactory(
      HoldfastProperties properties,
      Environment environment,
      ConfigurableListableBeanFactory beans,
      ObjectProvider<HoldfastListener> listeners,
      ObjectProvider<AcquireTracer> tracers,
      ObjectProvider<HoldfastCustomizer> customizers,
      ObjectProvider<ClientMeters> meters) {
    this.properties = properties;
    this.environment = environment;
    this.beans = beans;
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
            return connect("holdfast.url", properties.url(), options);
          }
          LockEngine engine = engines.getIfAvailable();
          return engine == null
              ? open(source(stores.orderedStream().toList()), options)
              : Holdfast.open(engine, options);
        });
  }

  private static Holdfast open(StoreSource source, HoldfastOptions options) {
    try {
      return Holdfast.open(source.open(), options);
    } catch (IllegalArgumentException e) {
      throw new StoreConfigurationException(
          "the store of the bean, holdfast.store="
              + source.store().text()
              + ", cannot be used: "
              + e.getMessage(),
          "set holdfast.url to the address of another store, such as redis://host",
          e);
    }
  }

  private static Holdfast connect(String property, String url, HoldfastOptions options) {
    try {
      return Holdfast.connect(url, options);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new StoreConfigurationException(
          property + "=" + ShownAddress.of(url) + " cannot be used: " + e.getMessage(),
          action(property, url, e),
          e);
    }
  }

  /** An engine that is there and rejects its address says in its message what to write. */
  private static String action(String property, String url, RuntimeException failure) {
    String scheme = url.substring(0, Math.max(0, url.indexOf(':'))).toLowerCase(Locale.ROOT);
    Optional<EngineModules.Module> module = EngineModules.of(scheme);
    if (module.isPresent() && failure.getCause() instanceof NoClassDefFoundError) {
      return "add the dependency " + module.get().library();
    }
    boolean isThere =
        ServiceLoader.load(EngineProvider.class).stream()
            .anyMatch(each -> each.get().schemes().contains(scheme));
    return module.isPresent() && !isThere
        ? "add the dependency " + module.get().artifact()
        : "correct " + property;
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
    if (!fit.isEmpty()) {
      throw new StoreConfigurationException(
          "Holdfast could use the store of several beans",
          "set holdfast.store to one of "
              + fit.stream().map(each -> each.store().text()).sorted().toList()
              + ", or holdfast.url");
    }
    if (named != null) {
      throw StoreNeeds.of(named).missing(beans);
    }
    List<String> near =
        Arrays.stream(HoldfastProperties.Store.values())
            .map(StoreNeeds::of)
            .flatMap(needs -> needs.nearlyThere(beans).stream())
            .toList();
    throw new StoreConfigurationException(
        "Holdfast has no store: holdfast.url is not set, and there is no bean whose store it could"
            + " use",
        "set holdfast.url, such as redis://host, or memory: for one process"
            + near.stream().map(step -> "; or " + step).collect(Collectors.joining()));
  }

  /** Returns the client {@code holdfast.clients.NAME}. */
  Holdfast named(String name) {
    HoldfastProperties.Client client = Objects.requireNonNull(properties.clients().get(name), name);
    String prefix = "holdfast.clients." + name;
    if (!StringUtils.hasText(client.url())) {
      throw new StoreConfigurationException(
          prefix + ".url is not set", "set it to the address of a store, such as redis://host");
    }
    HoldfastOptions options = options();
    options = with(prefix + ".namespace", client.namespace(), options::withNamespace, options);
    options = with(prefix + ".lease", client.lease(), options::withLease, options);
    return open(name, options, given -> connect(prefix + ".url", client.url(), given));
  }

  /** Meters of the program, from a bean or a customizer, are not made a second time. */
  private Holdfast open(
      String name, HoldfastOptions options, Function<HoldfastOptions, Holdfast> open) {
    ClientMeters ours = meters.getIfAvailable();
    try {
      return ours == null
              || ours.madeBy(options.listener())
              || listeners.orderedStream().anyMatch(ours::madeBy)
          ? open.apply(options)
          : ours.open(name, options, open);
    } catch (StoreUnavailableException e) {
      throw new StoreConfigurationException(
          String.valueOf(e.getMessage()),
          "start the store, or correct its address; with holdfast.fail-fast=false the application"
              + " starts without it",
          e);
    }
  }

  private HoldfastOptions options() {
    String app = environment.getProperty("spring.application.name", "");
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS
            .withApp(app)
            .withOrder(properties.order())
            .withFailFast(properties.failFast())
            .withListener(
                listeners
                    .orderedStream()
                    .reduce(HoldfastListener::and)
                    .orElse(HoldfastListener.NONE))
            .withTracer(tracers.getIfAvailable(() -> AcquireTracer.NONE));
    String namespace = namespace(properties.namespace(), app);
    options = with("holdfast.namespace", namespace, options::withNamespace, options);
    options = with("holdfast.lease", properties.lease(), options::withLease, options);
    options = with("holdfast.lanes", properties.lanes(), options::withLanes, options);
    for (HoldfastCustomizer customizer : customizers.orderedStream().toList()) {
      options = customizer.customize(options);
    }
    return options;
  }

  /**
   * Returns options with the value of a property, or as they are without one.
   *
   * @throws InvalidConfigurationPropertyValueException when the value is out of bounds
   */
  private static <T> HoldfastOptions with(
      String property,
      @Nullable T value,
      Function<T, HoldfastOptions> change,
      HoldfastOptions options) {
    return value == null ? options : PropertyValues.checked(property, value, change);
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
