package io.holdfast;

import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
 * The address that a program connects to: a scheme that names the engine, parameters of ours, and
 * the rest, which is the engine's and may hold secrets. No message here quotes the rest.
 */
final class ConnectUri {

  private static final String OURS = "holdfast.";
  private static final Set<String> DATABASES =
      Set.of("postgres", "postgresql", "mysql", "mariadb", "h2", "sqlite");
  private static final Pattern SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):.*", Pattern.DOTALL);

  /** Ours, where nothing is looked for: before the question mark, or inside another's value. */
  private static final Pattern MISPLACED =
      Pattern.compile("[&;?]\\s*holdfast\\.", Pattern.CASE_INSENSITIVE);

  private static final Pattern TIME = Pattern.compile("(\\d{1,12})(ms|s|m|h)");

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

  static ConnectUri parse(String uri) {
    Matcher matcher = SCHEME.matcher(uri);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "address must begin with a scheme, such as memory: or redis://host");
    }
    String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
    Optional<EngineProvider> provider = find(scheme);
    Set<String> engines = provider.map(EngineProvider::parameters).orElse(Set.of());
    Map<String, String> ours = new LinkedHashMap<>();
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
          if (ours.put(name, decoded(key, value)) != null) {
            throw new IllegalArgumentException("give each parameter once: " + key);
          }
        }
      }
    }
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

  /** The options with what the address says of them. */
  HoldfastOptions applyTo(HoldfastOptions options) {
    HoldfastOptions all = options;
    for (Map.Entry<String, String> entry : ours.entrySet()) {
      // The bounds of others depend on the lease, so it goes first.
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
    return switch (key) {
      case "namespace" -> options.withNamespace(value);
      case "order" -> options.withOrder(order(value));
      case "lease" -> options.withLease(time(key, value));
      case "fixedLease" -> options.withFixedLease(time(key, value));
      case "drift" -> options.withDrift(fraction(key, value));
      case "margin" -> options.withMargin(time(key, value));
      case "lockDelay" -> options.withLockDelay(time(key, value));
      case "maxHold" -> options.withMaxHold(time(key, value));
      case "generation" -> options.withGeneration(number(key, value));
      case "app" -> options.withApp(value);
      case "text" -> options.withText(value);
      case "operationTimeout" -> options.withOperationTimeout(time(key, value));
      case "lanes" -> options.withLanes(number(key, value));
      case "queueLimit" -> options.withQueueLimit(number(key, value));
      case "failFast" -> options.withFailFast(flag(key, value));
      case "traceAcquires" -> options.withTraceAcquires(flag(key, value));
      default -> throw unknown(OURS + key);
    };
  }

  private static IllegalArgumentException unknown(String key) {
    return new IllegalArgumentException(
        "unknown parameter: " + key + "; docs/options.md lists them");
  }

  private static Order order(String value) {
    for (Order order : Order.values()) {
      if (order.name().equalsIgnoreCase(value)) {
        return order;
      }
    }
    throw new IllegalArgumentException(OURS + "order must be any or fifo: order=" + value);
  }

  private static Duration time(String key, String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          OURS + key + " must be a time such as 500ms, 10s, 5m or 1h: " + key + "=" + value);
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      default -> Duration.ofHours(count);
    };
  }

  private static int number(String key, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          OURS + key + " must be a whole number: " + key + "=" + value, e);
    }
  }

  /** Undoes the percent-encoding; a plus is a plus, as an address is not a form. */
  private static String decoded(String key, String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          key + " must be percent-encoded, a percent sign as %25: " + key + "=" + value, e);
    }
  }

  private static double fraction(String key, String value) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(OURS + key + " must be a number: " + key + "=" + value, e);
    }
  }

  private static boolean flag(String key, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              OURS + key + " must be true or false: " + key + "=" + value);
    };
  }

  private static Optional<EngineProvider> find(String scheme) {
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      if (provider.schemes().contains(scheme)) {
        return Optional.of(provider);
      }
    }
    return Optional.empty();
  }

  /** Opens the engine whose scheme it is. */
  LockEngine open(HoldfastOptions options, World world) {
    return provider
        .orElseThrow(this::unknownScheme)
        .open(
            rest,
            new EngineProvider.Settings(
                options.lease(),
                options.operationTimeout(),
                options.lanes(),
                world::nanoTime,
                world::epochMicros));
  }

  private IllegalArgumentException unknownScheme() {
    TreeSet<String> known = new TreeSet<>();
    for (EngineProvider each : ServiceLoader.load(EngineProvider.class)) {
      known.addAll(each.schemes());
    }
    // Other tools write the addresses of databases without the prefix of Java's drivers.
    boolean isDatabase = known.contains("jdbc") && DATABASES.contains(scheme);
    String database = scheme.equals("postgres") ? "postgresql" : scheme;
    return new IllegalArgumentException(
        "no engine on the class path handles \""
            + scheme
            + ":\"; available: "
            + known
            + (isDatabase ? "; for this database write jdbc:" + database + ":" : ""));
  }
}
