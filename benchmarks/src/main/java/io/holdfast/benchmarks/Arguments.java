package io.holdfast.benchmarks;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A command line taken apart. Every complaint names the option, its value and the rule. */
final class Arguments {

  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(us|ms|s)");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,6}(\\.\\d{1,6})?");

  private final Map<String, List<String>> values = new LinkedHashMap<>();

  private Arguments() {}

  /**
   * Takes apart {@code --option value}, {@code --option=value} and {@code --flag}.
   *
   * @param options the options that have a value
   * @param flags the options without a value
   * @param repeatable the options that may come more than once
   */
  static Arguments parse(
      List<String> words, Set<String> options, Set<String> flags, Set<String> repeatable) {
    Arguments arguments = new Arguments();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      String name = equals < 0 ? word : word.substring(0, equals);
      String value = "";
      if (options.contains(name)) {
        if (equals < 0 && i + 1 == words.size()) {
          throw new CliException(ExitCode.USAGE, name + " needs a value; see --help");
        }
        value = equals < 0 ? words.get(++i) : word.substring(equals + 1);
      } else if (!flags.contains(word)) {
        throw new CliException(ExitCode.USAGE, "no such option: " + word + "; see --help");
      }
      arguments.add(name, value, repeatable.contains(name));
    }
    return arguments;
  }

  private void add(String name, String value, boolean repeatable) {
    List<String> given = values.computeIfAbsent(name, n -> new ArrayList<>());
    if (!given.isEmpty() && !repeatable) {
      throw new CliException(ExitCode.USAGE, name + " must be given once: " + name + "=" + value);
    }
    given.add(value);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** All values of an option. */
  List<String> all(String name) {
    return List.copyOf(values.getOrDefault(name, List.of()));
  }

  Optional<String> text(String name) {
    return all(name).stream().findFirst();
  }

  /** A whole number within bounds. */
  int number(String name, int least, int most, int otherwise) {
    return text(name)
        .map(
            value -> {
              boolean digits = value.matches("\\d{1,9}");
              int number = digits ? Integer.parseInt(value) : -1;
              if (!digits || number < least || number > most) {
                throw new CliException(
                    ExitCode.USAGE,
                    "%s must be a whole number, %d..%d: %s=%s"
                        .formatted(name, least, most, name, value));
              }
              return number;
            })
        .orElse(otherwise);
  }

  /** A number of seconds within bounds. */
  Duration seconds(String name, Duration least, Duration most, Duration otherwise) {
    return text(name)
        .map(
            value -> {
              Duration time =
                  DECIMAL.matcher(value).matches()
                      ? Duration.ofNanos(Math.round(Double.parseDouble(value) * 1e9))
                      : Duration.ZERO;
              return requireBetween(name, value, time, least, most, "a number of seconds");
            })
        .orElse(otherwise);
  }

  /** A time with a unit, or 0. */
  Duration time(String name, Duration most, Duration otherwise) {
    return text(name)
        .map(
            value -> {
              Matcher matcher = TIME.matcher(value);
              Duration time = Duration.ofSeconds(-1);
              if (value.equals("0")) {
                time = Duration.ZERO;
              } else if (matcher.matches()) {
                time = of(Long.parseLong(matcher.group(1)), matcher.group(2));
              }
              return requireBetween(
                  name, value, time, Duration.ZERO, most, "0 or a time such as 200us or 2ms");
            })
        .orElse(otherwise);
  }

  private static Duration of(long amount, String unit) {
    return switch (unit) {
      case "us" -> Duration.ofNanos(amount * 1000);
      case "ms" -> Duration.ofMillis(amount);
      default -> Duration.ofSeconds(amount);
    };
  }

  private static Duration requireBetween(
      String name, String value, Duration time, Duration least, Duration most, String what) {
    if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
      throw new CliException(
          ExitCode.USAGE,
          "%s must be %s, from %s to %s: %s=%s"
              .formatted(
                  name,
                  what,
                  Units.nanos(least.toNanos()),
                  Units.nanos(most.toNanos()),
                  name,
                  value));
    }
    return time;
  }

  /** One of an enum's constants, in lower case. */
  <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
    return text(name)
        .map(
            value -> {
              List<String> known = new ArrayList<>();
              for (E constant : type.getEnumConstants()) {
                String word = LoadMode.word(constant);
                if (word.equals(value)) {
                  return constant;
                }
                known.add(word);
              }
              throw new CliException(
                  ExitCode.USAGE,
                  "%s must be one of %s: %s=%s".formatted(name, known, name, value));
            })
        .orElse(otherwise);
  }
}
