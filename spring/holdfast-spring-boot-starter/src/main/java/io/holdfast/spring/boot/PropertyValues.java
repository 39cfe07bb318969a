package io.holdfast.spring.boot;

import java.time.Duration;
import java.util.function.Function;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Values of properties that are out of bounds, reported with the name of the property. */
final class PropertyValues {

  private PropertyValues() {}

  /**
   * Returns what is made of a value.
   *
   * @throws InvalidConfigurationPropertyValueException when that rejects the value
   */
  static <T, R> R checked(String property, T value, Function<T, R> use) {
    try {
      return use.apply(value);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          property, value, String.valueOf(e.getMessage()));
    }
  }

  static void requireNotNegative(String property, Duration value) {
    if (value.isNegative()) {
      throw new InvalidConfigurationPropertyValueException(
          property, value, "It must not be negative.");
    }
  }
}
