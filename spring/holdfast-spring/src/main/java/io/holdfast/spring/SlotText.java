package io.holdfast.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The text of a value in a slot of a name. Two processes must write the same value in the same way,
 * or they take two locks for one thing.
 */
final class SlotText {

  private SlotText() {}

  /** Returns what an optional contains; null if it is empty. Returns any other value as it is. */
  static @Nullable Object content(@Nullable Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.orElse(null);
    }
    if (value instanceof OptionalInt optional) {
      return optional.isPresent() ? optional.getAsInt() : null;
    }
    if (value instanceof OptionalLong optional) {
      return optional.isPresent() ? optional.getAsLong() : null;
    }
    return value;
  }

  /**
   * Returns why a value cannot be in a name: its type, the rule and what to write instead. Returns
   * null for a value that can be.
   *
   * @param text its text
   */
  static @Nullable String objection(Object value, String text) {
    if (value instanceof String || value instanceof Long || value instanceof Integer) {
      return null; // Nearly all of them, on the path of each call.
    }
    String rule = brokenRule(value, text);
    return rule == null ? null : "is of type " + value.getClass().getTypeName() + ", " + rule;
  }

  private static @Nullable String brokenRule(Object value, String text) {
    if (value instanceof Float || value instanceof Double) {
      return "whose text depends on the version of Java; use a whole number or BigDecimal";
    }
    if (value instanceof Date || value instanceof Calendar) {
      return "whose text depends on the time zone of the process; use java.time.Instant";
    }
    if (value instanceof InetAddress) {
      return "whose text depends on earlier look-ups; use its hostAddress";
    }
    if (value instanceof Map || value instanceof Collection || value.getClass().isArray()) {
      return "whose text is not the same everywhere; a slot may be a collection or an array of"
          + " values, which stands for several names, but not of collections, arrays or maps";
    }
    if (isIdentity(value, text)) {
      return "whose toString() is that of Object, which differs between processes; use one of its"
          + " properties, such as {#order.id}, or override toString()";
    }
    return value instanceof Record record ? brokenByComponent(record, text) : null;
  }

  /** Also through a subclass, such as a proxy, that calls the toString() of the original. */
  private static boolean isIdentity(Object value, String text) {
    for (Class<?> each = value.getClass(); each != null; each = each.getSuperclass()) {
      if (text.startsWith(each.getName() + "@")) {
        return true;
      }
    }
    return false;
  }

  /** The text that the compiler gives a record has the texts of its components. */
  private static @Nullable String brokenByComponent(Record value, String text) {
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      Object part = read(component, value);
      String partText = String.valueOf(part);
      if (part == null || !text.contains(component.getName() + "=" + partText)) {
        continue;
      }
      // A list has an order, so its text is that of its elements.
      for (Object each : part instanceof List<?> list ? list : List.of(part)) {
        String objection = each == null ? null : objection(each, each.toString());
        if (objection != null) {
          return "with the component " + component.getName() + ", which " + objection;
        }
      }
    }
    return null;
  }

  private static @Nullable Object read(RecordComponent component, Record value) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(value);
    } catch (InvocationTargetException | IllegalAccessException | RuntimeException e) {
      return null; // It is of a module that does not let us look.
    }
  }
}
