package io.holdfast.runtime.client;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.support.EngineModules;
import io.holdfast.spi.support.UriParameters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address that a program connects to.
 *
 * <p>It has a scheme that names the engine, parameters of the runtime, and the engine's part, which
 * may contain secrets. No message here quotes the engine's part.
 */
public final class ConnectUri {

  private static final String OURS = "holdfast.";
  private static final Set<String> DATABASES =
      Set.of("postgres", "postgresql", "mysql", "mariadb", "h2", "sqlite");
  private static final Pattern SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):.*", Pattern.DOTALL);

  /**
   * Finds runtime parameters in the wrong place: before the question mark, or inside another value.
   */
  private static final Pattern MISPLACED =
      Pattern.compile("[&;?]\\s*holdfast\\.", Pattern.CASE_INSENSITIVE);

  private final String scheme;
  private final String rest;
  private final Map<String, String> ours;
  private final Optional<EngineProvider> provider;

  private ConnectUri(
      String scheme, String rest, Map<String, String> ours, Optional<EngineProvider> provider) {
    this.scheme = scheme;
    this.rest = rest;
    this.ours = ours;
    this.provider = provider;
  }

  public static ConnectUri parse(String uri) {
    Matcher matcher = SCHEME.matcher(uri);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "address must begin with a scheme, such as memory: or redis://host");
    }
    String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
    Optional<EngineProvider> provider = find(scheme);
    Set<String> engines = provider.map(EngineProvider::parameters).orElse(Set.of());
    Map<String, String> ours = new LinkedHashMap<>();
    List<String> mine = new ArrayList<>();
    List<String> theirs = new ArrayList<>();
    int query = uri.indexOf('?');
    if (query >= 0) {
      for (String parameter : uri.substring(query + 1).split("&", -1)) {
        int equals = parameter.indexOf('=');
        String key = equals < 0 ? parameter : parameter.substring(0, equals);
        boolean isOurs = key.regionMatches(/* ignoreCase= */ true, 0, OURS, 0, OURS.length());
        String name = isOurs ? key.substring(OURS.length()) : key;
        if (isOurs && !key.startsWith(OURS)) {
          throw unknown(key);
        }
        if (!isOurs || engines.contains(name)) {
          theirs.add(parameter);
        } else {
          String value = equals < 0 ? "" : parameter.substring(equals + 1);
          mine.add(parameter);
          ours.put(name, UriParameters.decode(key, value));
        }
      }
    }
    UriParameters.requireDistinct(mine);
    String rest = scheme + uri.substring(scheme.length(), query < 0 ? uri.length() : query);
    if (MISPLACED.matcher(rest).find()
        || theirs.stream().anyMatch(each -> MISPLACED.matcher(each).find())) {
      throw new IllegalArgumentException(
          "parameters that begin with holdfast. must follow the first ? of the address, with &"
              + " between them, such as ?holdfast.lease=10s&holdfast.app=shop");
    }
    if (!theirs.isEmpty()) {
      rest += "?" + String.join("&", theirs);
    }
    return new ConnectUri(scheme, rest, ours, provider);
  }

  /** Returns the options, changed by the parameters of the address. */
  public HoldfastOptions applyTo(HoldfastOptions options) {
    HoldfastOptions all = options;
    for (Map.Entry<String, String> entry : ours.entrySet()) {
      // The bounds of other options depend on the lease, so it goes first.
      if (entry.getKey().equals("lease") || entry.getKey().equals("fixedLease")) {
        all = apply(all, entry.getKey(), entry.getValue());
      }
    }
    for (Map.Entry<String, String> entry : ours.entrySet()) {
      all = apply(all, entry.getKey(), entry.getValue());
    }
    return all;
  }

  private static HoldfastOptions apply(HoldfastOptions options, String key, String value) {
    String name = OURS + key;
    UriParameters given = UriParameters.of(Map.of(name, value));
    return switch (key) {
      case "namespace" -> options.withNamespace(value);
      case "order" -> options.withOrder(given.choice(name, Order.class).orElseThrow());
      case "lease" -> options.withLease(given.time(name).orElseThrow());
      case "fixedLease" -> options.withFixedLease(given.time(name).orElseThrow());
      case "drift" -> options.withDrift(given.fraction(name).orElseThrow());
      case "margin" -> options.withMargin(given.time(name).orElseThrow());
      case "lockDelay" -> options.withLockDelay(given.time(name).orElseThrow());
      case "maxHold" -> options.withMaxHold(given.time(name).orElseThrow());
      case "generation" -> options.withGeneration(given.number(name).orElseThrow());
      case "app" -> options.withApp(value);
      case "text" -> options.withText(value);
      case "operationTimeout" -> options.withOperationTimeout(given.time(name).orElseThrow());
      case "lanes" -> options.withLanes(given.number(name).orElseThrow());
      case "queueLimit" -> options.withQueueLimit(given.number(name).orElseThrow());
      case "failFast" -> options.withFailFast(given.flag(name).orElseThrow());
      case "traceAcquires" -> options.withTraceAcquires(given.flag(name).orElseThrow());
      default -> throw unknown(name);
    };
  }

  private static IllegalArgumentException unknown(String key) {
    return new IllegalArgumentException(
        "unknown parameter: " + key + "; docs/options.md lists them");
  }

  private static Optional<EngineProvider> find(String scheme) {
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      if (provider.schemes().contains(scheme)) {
        return Optional.of(provider);
      }
    }
    return Optional.empty();
  }

  /**
   * Opens the engine that handles the scheme.
   *
   * @throws IllegalArgumentException when there is none, or it does not understand its part
   * @throws IllegalStateException when a library that the engine needs is missing
   */
  public LockEngine open(HoldfastOptions options, World world) {
    EngineProvider engine = provider.orElseThrow(this::unknownScheme);
    try {
      return engine.open(rest, settings(options, world));
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
          "the engine of \""
              + scheme
              + ":\" needs a library that is not on the class path"
              + EngineModules.of(scheme).map(module -> "; add " + module.library()).orElse("")
              + " ("
              + e
              + ")",
          e);
    }
  }

  /** Returns the settings that a client with these options passes to its engine. */
  public static EngineProvider.Settings settings(HoldfastOptions options, World world) {
    return new EngineProvider.Settings(
        options.lease(),
        options.operationTimeout(),
        options.lanes(),
        world::nanoTime,
        world::epochMicros);
  }

  private IllegalArgumentException unknownScheme() {
    TreeSet<String> known = new TreeSet<>();
    for (EngineProvider each : ServiceLoader.load(EngineProvider.class)) {
      known.addAll(each.schemes());
    }
    // Other tools write database addresses without the prefix of Java's drivers.
    boolean isDatabase = DATABASES.contains(scheme);
    String database = scheme.equals("postgres") ? "postgresql" : scheme;
    String engine = isDatabase ? "jdbc" : scheme;
    String missing =
        known.contains(engine)
            ? ""
            : EngineModules.of(engine).map(module -> "; add " + module.artifact()).orElse("");
    return new IllegalArgumentException(
        "no engine on the class path handles \""
            + scheme
            + ":\"; available: "
            + known
            + missing
            + (isDatabase ? "; for this database write jdbc:" + database + ":" : ""));
  }
}
