package io.holdfast.redis;

import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Tls;
import io.holdfast.redis.RedisOptions.Topology;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands behind the question mark of an address. Values of passwords are never quoted. */
final class RedisParameters {

  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
  private static final Set<String> COMMON =
      Set.of("connectTimeout", "strict", "maxLease", "tls", "trustStore", "trustStorePassword");
  private static final Set<String> REPLICATED =
      Set.of("signals", "minReplicas", "replicaTimeout", "quarantine");
  private static final Set<String> SECRET = Set.of("trustStorePassword", "sentinelPassword");

  private static final String UNKNOWN = "unknown parameter: ";

  // What cannot be a name may be the end of a secret with an ampersand in it: it is not quoted.
  private static final String NO_VALUE = "a parameter must be NAME=VALUE";
  private static final String AFTER_SECRET =
      "unknown parameter after a password, in which an ampersand must be percent-encoded, as %26";

  private final Map<String, String> values;

  private RedisParameters(Map<String, String> values) {
    this.values = values;
  }

  static RedisParameters parse(String query, Topology topology) {
    Set<String> known = known(topology);
    Map<String, String> values = new LinkedHashMap<>();
    for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String key = equals < 0 ? parameter : parameter.substring(0, equals);
      if (!known.contains(key)) {
        boolean afterSecret = values.keySet().stream().anyMatch(SECRET::contains);
        String what = afterSecret ? AFTER_SECRET : equals < 0 ? NO_VALUE : UNKNOWN + key;
        throw new IllegalArgumentException(
            what + "; for " + inWords(topology) + " there are " + known);
      }
      String value = decode(key, equals < 0 ? "" : parameter.substring(equals + 1));
      if (values.put(key, value) != null) {
        throw new IllegalArgumentException("give each parameter once: " + key);
      }
    }
    return new RedisParameters(values);
  }

  private static String inWords(Topology topology) {
    return switch (topology) {
      case SINGLE -> "one server";
      case SENTINEL -> "sentinels";
      case CLUSTER -> "a cluster";
      case REDLOCK -> "redlock";
    };
  }

  private static Set<String> known(Topology topology) {
    Set<String> known = new TreeSet<>(COMMON);
    known.addAll(topology == Topology.REDLOCK ? Set.of("nodeTimeout") : REPLICATED);
    if (topology == Topology.SENTINEL) {
      known.addAll(Set.of("sentinelUser", "sentinelPassword"));
    }
    return known;
  }

  void applyTo(RedisDraft draft) {
    values.forEach((key, value) -> apply(draft, key, value));
    applyTls(draft);
    if (has("sentinelUser") || has("sentinelPassword")) {
      draft.sentinelLogin = new Login(value("sentinelUser"), value("sentinelPassword"));
    }
  }

  private static void apply(RedisDraft draft, String key, String value) {
    switch (key) {
      case "connectTimeout" -> draft.connectTimeout = time(key, value);
      case "strict" -> draft.strict = flag(key, value);
      case "signals" -> draft.signals = flag(key, value);
      case "minReplicas" -> draft.minReplicas = number(key, value);
      case "replicaTimeout" -> draft.replicaTimeout = time(key, value);
      case "quarantine" -> draft.quarantine = time(key, value);
      case "maxLease" -> draft.maxLease = time(key, value);
      case "nodeTimeout" -> draft.nodeTimeout = time(key, value);
      default -> {
        // Those of TLS and the sentinels' login go together.
      }
    }
  }

  private void applyTls(RedisDraft draft) {
    if (has("tls")) {
      boolean on = flag("tls", value("tls"));
      if (!on && draft.tls.isPresent()) {
        throw new IllegalArgumentException("rediss:// is TLS: tls=" + value("tls"));
      }
      draft.tls = on ? Optional.of(Tls.standard()) : Optional.empty();
    }
    boolean store = has("trustStore");
    if ((store || has("trustStorePassword")) && draft.tls.isEmpty()) {
      throw new IllegalArgumentException("trustStore is for TLS: write rediss:// or tls=true");
    }
    if (has("trustStorePassword") && !store) {
      throw new IllegalArgumentException("trustStorePassword needs a trustStore");
    }
    if (store) {
      draft.tls =
          Optional.of(Tls.trusting(Path.of(value("trustStore")), value("trustStorePassword")));
    }
  }

  private boolean has(String key) {
    return values.containsKey(key);
  }

  private String value(String key) {
    return values.getOrDefault(key, "");
  }

  private static Duration time(String key, String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          key + " must be a time such as 500ms, 10s, 5m or 1h: " + key + "=" + value);
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
      throw new IllegalArgumentException(key + " must be a whole number: " + key + "=" + value, e);
    }
  }

  private static boolean flag(String key, String value) {
    return switch (value) {
      case "true", "on" -> true;
      case "false", "off" -> false;
      default ->
          throw new IllegalArgumentException(
              key + " must be true or false, on or off: " + key + "=" + value);
    };
  }

  /** Undoes the percent-encoding; a plus is a plus. */
  static String decode(String key, String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      boolean secret = SECRET.contains(key) || key.equals("user") || key.equals("password");
      // The cause would quote a part of it.
      throw new IllegalArgumentException(
          key
              + " must be percent-encoded, a percent sign as %25"
              + (secret ? "" : ": " + key + "=" + value));
    }
  }
}
