package io.holdfast.server.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object of a request; a value of the wrong type is a problem that names the field.
 *
 * @param path of the object within the request, empty or ending with a dot
 */
record JsonObject(String path, Map<String, @Nullable Object> fields) {

  private <T> Optional<T> find(String name, Class<T> type, String what) throws ProblemException {
    Object value = fields.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!type.isInstance(value)) {
      throw wrong(name, "must be " + what);
    }
    return Optional.of(type.cast(value));
  }

  ProblemException wrong(String name, String rule) {
    return new ProblemException(Problem.malformed(path + name + " " + rule));
  }

  Optional<String> text(String name) throws ProblemException {
    return find(name, String.class, "a text");
  }

  String requireText(String name) throws ProblemException {
    return text(name).orElseThrow(() -> wrong(name, "is missing"));
  }

  Optional<Long> number(String name) throws ProblemException {
    return find(name, Long.class, "a whole number");
  }

  long number(String name, long least, long most, long otherwise) throws ProblemException {
    long value = number(name).orElse(otherwise);
    if (value < least || value > most) {
      throw wrong(name, "must be " + least + ".." + most);
    }
    return value;
  }

  boolean flag(String name) throws ProblemException {
    return find(name, Boolean.class, "true or false").orElse(false);
  }

  /** Milliseconds. */
  Duration millis(String name, Duration otherwise) throws ProblemException {
    return Duration.ofMillis(
        number(name, 0, Duration.ofDays(36_500).toMillis(), otherwise.toMillis()));
  }

  <E extends Enum<E>> E choice(String name, Class<E> choices, E otherwise) throws ProblemException {
    Optional<String> value = text(name);
    if (value.isEmpty()) {
      return otherwise;
    }
    for (E each : choices.getEnumConstants()) {
      if (each.name().equals(value.get().toUpperCase(Locale.ROOT))) {
        return each;
      }
    }
    throw wrong(name, "must be one of " + List.of(choices.getEnumConstants()));
  }

  Optional<JsonObject> object(String name) throws ProblemException {
    return find(name, Map.class, "an object").map(map -> nested(path + name + ".", map));
  }

  List<JsonObject> objects(String name) throws ProblemException {
    List<JsonObject> all = new ArrayList<>();
    for (Object element : list(name)) {
      if (!(element instanceof Map<?, ?> map)) {
        throw wrong(name, "must be a list of objects");
      }
      all.add(nested(path + name + "[" + all.size() + "].", map));
    }
    return all;
  }

  List<String> texts(String name) throws ProblemException {
    List<String> all = new ArrayList<>();
    for (Object element : list(name)) {
      if (!(element instanceof String text)) {
        throw wrong(name, "must be a list of texts");
      }
      all.add(text);
    }
    return all;
  }

  private List<?> list(String name) throws ProblemException {
    return find(name, List.class, "a list").orElseThrow(() -> wrong(name, "is missing"));
  }

  @SuppressWarnings("unchecked") // The parser makes no maps with other keys.
  private static JsonObject nested(String path, Map<?, ?> map) {
    return new JsonObject(path, (Map<String, @Nullable Object>) map);
  }
}
