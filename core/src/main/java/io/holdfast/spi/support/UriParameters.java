package io.holdfast.spi.support;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an address, decoded: what follows its question mark.
 *
 * <p>A wrong value is an {@link IllegalArgumentException} without a cause, which names the
 * parameter, its rule and the value. Parameters whose names contain {@code password}, {@code
 * passwd}, {@code pwd} or {@code secret} are secret: their values are in no message. Neither is
 * what follows a secret parameter and is no known parameter, because it may be the rest of a
 * password that contains an ampersand.
 *
 * <p>{@link #toString()} shows names only. Immutable.
 */
public final class UriParameters {

  private static final Pattern SECRET =
      Pattern.compile("password|passwd|pwd|secret", Pattern.CASE_INSENSITIVE);
  private static final Pattern TIME = Pattern.compile("(\\d{1,12})(ms|s|m|h)");

  private static final String NAME_AND_VALUE = "a parameter must be NAME=VALUE";
  private static final String ONCE = "give each parameter once";
  private static final String AMPERSAND =
      "in a password an ampersand must be percent-encoded, as %26";

  private final Map<String, String> values;

  private UriParameters(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Parses {@code name=value&name=value…}.
   *
   * @param scheme the scheme that has these parameters, for messages
   * @param query without the question mark; may be empty
   * @throws IllegalArgumentException when a parameter is unknown, malformed or given twice
   */
  public static UriParameters parse(String scheme, String query, Set<String> known) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (equals < 0 || !known.contains(name)) {
        boolean afterSecret = values.keySet().stream().anyMatch(UriParameters::isSecret);
        throw new IllegalArgumentException(
            (afterSecret
                    ? "unknown parameter after a password; " + AMPERSAND
                    : equals < 1 ? NAME_AND_VALUE : "unknown parameter: " + name)
                + "; available with "
                + scheme
                + ": "
                + new TreeSet<>(known));
      }
      if (values.put(name, decode(name, parameter.substring(equals + 1))) != null) {
        throw twice(name);
      }
    }
    return new UriParameters(values);
  }

  /** Parameters that were parsed already, by name, with their decoded values. */
  public static UriParameters of(Map<String, String> decoded) {
    return new UriParameters(new LinkedHashMap<>(decoded));
  }

  /**
   * Checks that no two parameters have one name. For parameters that are passed on as they are:
   * drivers differ in which of the two they take.
   *
   * @param parameters each as it is written in the address
   * @throws IllegalArgumentException when two have one name, or one has no name
   */
  public static void requireDistinct(Collection<String> parameters) {
    Set<String> names = new HashSet<>();
    boolean afterSecret = false;
    for (String parameter : parameters) {
      int equals = parameter.indexOf('=');
      if (equals == 0) {
        throw new IllegalArgumentException(NAME_AND_VALUE);
      }
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (equals > 0 && !names.add(name)) {
        throw afterSecret ? new IllegalArgumentException(ONCE + "; " + AMPERSAND) : twice(name);
      }
      afterSecret |= isSecret(name);
    }
  }

  /**
   * Undoes the percent-encoding of a part of an address. A plus is a plus: an address is not a
   * form.
   *
   * @param name of the part, for the message
   * @throws IllegalArgumentException when a percent sign is not followed by two hexadecimal digits
   */
  public static String decode(String name, String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Without its cause, which quotes a part of the value.
      throw wrong(name, value, "percent-encoded, a percent sign as %25");
    }
  }

  static IllegalArgumentException twice(String name) {
    return new IllegalArgumentException(ONCE + ": " + name);
  }

  private static boolean isSecret(String name) {
    return SECRET.matcher(name).find();
  }

  private static IllegalArgumentException wrong(String name, String value, String rule) {
    boolean quotable = !isSecret(name) && !name.equals("user");
    return new IllegalArgumentException(
        name + " must be " + rule + (quotable ? ": " + name + "=" + value : ""));
  }

  /** Returns whether the parameter was given. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns the value of a parameter, if it was given. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /**
   * Returns a time such as {@code 500ms}, {@code 10s}, {@code 5m} or {@code 1h}, if it was given.
   *
   * @throws IllegalArgumentException when the value is not a time
   */
  public Optional<Duration> time(String name) {
    return text(name).map(value -> time(name, value));
  }

  private static Duration time(String name, String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      throw wrong(name, value, "a time such as 500ms, 10s, 5m or 1h");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      default -> Duration.ofHours(count);
    };
  }

  /**
   * Returns a whole number, if it was given.
   *
   * @throws IllegalArgumentException when the value is not an {@code int}
   */
  public Optional<Integer> number(String name) {
    return text(name).map(value -> number(name, value));
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw wrong(name, value, "a whole number");
    }
  }

  /**
   * Returns a number with a fraction such as {@code 0.05}, if it was given.
   *
   * @throws IllegalArgumentException when the value is not a {@code double}
   */
  public Optional<Double> fraction(String name) {
    return text(name).map(value -> fraction(name, value));
  }

  private static double fraction(String name, String value) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw wrong(name, value, "a number");
    }
  }

  /**
   * Returns a flag, if it was given: {@code true} or {@code on}, {@code false} or {@code off}.
   *
   * @throws IllegalArgumentException when the value is neither
   */
  public Optional<Boolean> flag(String name) {
    return text(name)
        .map(
            value ->
                switch (value) {
                  case "true", "on" -> true;
                  case "false", "off" -> false;
                  default -> throw wrong(name, value, "true or false, on or off");
                });
  }

  /**
   * Returns one of several values, if it was given. Case does not matter.
   *
   * @throws IllegalArgumentException when the value is none of them
   */
  public <E extends Enum<E>> Optional<E> choice(String name, Class<E> choices) {
    @Nullable String value = values.get(name);
    if (value == null) {
      return Optional.empty();
    }
    StringBuilder names = new StringBuilder();
    for (E choice : choices.getEnumConstants()) {
      if (choice.name().equalsIgnoreCase(value)) {
        return Optional.of(choice);
      }
      names.append(names.isEmpty() ? "" : " or ").append(choice.name().toLowerCase(Locale.ROOT));
    }
    throw wrong(name, value, names.toString());
  }

  /**
   * Returns how connections are encrypted, if they are, by the parameters {@code tls}, {@code
   * trustStore}, {@code trustStorePassword}, {@code keyStore} and {@code keyStorePassword}. An
   * engine that lacks some of them leaves them out of the known names.
   *
   * @param secureScheme the scheme that means TLS by itself, if the address has it
   * @param howTo how a user of this engine asks for TLS, such as {@code "tls=true"}
   * @throws IllegalArgumentException when the parameters do not fit together
   */
  public Optional<TlsFiles> tls(Optional<String> secureScheme, String howTo) {
    boolean on = flag("tls").orElse(secureScheme.isPresent());
    if (!on && secureScheme.isPresent()) {
      throw new IllegalArgumentException(
          secureScheme.get() + ":// means TLS: tls=" + values.get("tls"));
    }
    Optional<TlsFiles.StoreFile> trustStore = storeFile("trustStore", on, howTo);
    Optional<TlsFiles.StoreFile> keyStore = storeFile("keyStore", on, howTo);
    return on ? Optional.of(new TlsFiles(trustStore, keyStore)) : Optional.empty();
  }

  private Optional<TlsFiles.StoreFile> storeFile(String name, boolean on, String howTo) {
    String passwordName = name + "Password";
    if (!on && (has(name) || has(passwordName))) {
      throw new IllegalArgumentException(
          (has(name) ? name : passwordName) + " needs TLS: write " + howTo);
    }
    if (!has(name)) {
      if (has(passwordName)) {
        throw new IllegalArgumentException(passwordName + " needs a " + name);
      }
      return Optional.empty();
    }
    String file = text(name).orElse("");
    if (file.isEmpty() || file.indexOf('\0') >= 0) {
      throw wrong(name, file.replace('\0', '?'), "the path of a file");
    }
    return Optional.of(new TlsFiles.StoreFile(Path.of(file), text(passwordName).orElse("")));
  }

  @Override
  public String toString() {
    return values.keySet().toString();
  }
}
