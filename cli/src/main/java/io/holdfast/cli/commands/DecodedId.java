package io.holdfast.cli.commands;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.ids.IdFacts;
import io.holdfast.ids.IdForm;
import io.holdfast.ids.IdLayout;
import io.holdfast.ids.IdSpec;
import io.holdfast.ids.Ids;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is in an id.
 *
 * @param kind what it was read as: {@code uuid4}, {@code uuid7}, {@code timeline}
 * @param form how the number is written; empty for UUIDs
 * @param number the id as a number, as text; empty for UUIDs
 */
record DecodedId(String id, String kind, String form, String number, IdFacts facts) {

  /** What cannot be seen in a number. */
  private static final String NOTE = "a segment or counter just counts";

  private static final Pattern UUIDS =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern DATED = Pattern.compile("\\d{8}-[0-9A-Za-z]+");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,19}");
  private static final int CROCKFORD_LENGTH = 13;
  private static final int BASE62_LENGTH = 11;

  /**
   * Reads it.
   *
   * @param form of a number, or null to detect it: a date and a hyphen, digits alone, 13 or 11
   *     letters and digits
   * @throws CliException when it is no id that is known here
   */
  static DecodedId of(String text, @Nullable String form) {
    try {
      return form == null && UUIDS.matcher(text).matches() ? uuid(text) : number(text, form);
    } catch (IllegalArgumentException e) {
      throw new CliException(ExitCode.USAGE, "--decode: " + e.getMessage());
    }
  }

  private static DecodedId uuid(String text) {
    UUID uuid = UUID.fromString(text);
    return switch (uuid.version()) {
      case 4 -> new DecodedId(text, "uuid4", "", "", Ids.uuid4().describe(uuid));
      case 7 -> new DecodedId(text, "uuid7", "", "", Ids.uuid7().describe(uuid));
      default ->
          throw new IllegalArgumentException(
              "a UUID of version " + uuid.version() + " carries no data to decode");
    };
  }

  /** Numbers that only count do not say so: all are read as if the time were in them. */
  private static DecodedId number(String text, @Nullable String wanted) {
    String form = wanted == null ? form(text) : wanted;
    IdSpec.Form known = IdSpec.parse("timeline:any", form).form();
    long id = reader(known).read(text);
    return new DecodedId(
        text,
        "timeline",
        known.name().toLowerCase(Locale.ROOT),
        String.valueOf(id),
        IdLayout.STANDARD.describe(id));
  }

  private static String form(String text) {
    if (DATED.matcher(text).matches()) {
      return "dated";
    }
    if (DECIMAL.matcher(text).matches() && text.length() != CROCKFORD_LENGTH) {
      return "decimal";
    }
    return switch (text.length()) {
      case CROCKFORD_LENGTH -> "crockford";
      case BASE62_LENGTH -> "base62";
      default ->
          throw new IllegalArgumentException(
              "not an id that is known here; say which --form it has");
    };
  }

  private static IdForm reader(IdSpec.Form form) {
    return switch (form) {
      case DECIMAL -> IdForm.decimal();
      case CROCKFORD -> IdForm.crockford();
      case BASE62 -> IdForm.base62();
      case DATED -> IdForm.dated(IdLayout.STANDARD);
    };
  }

  /** For people. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("kind      " + kind + (form.isEmpty() ? "" : ", " + form + " (" + NOTE + ")"));
    if (!number.isEmpty()) {
      lines.add("number    " + number);
    }
    facts.time().ifPresent(time -> lines.add("time      " + time));
    facts.worker().ifPresent(worker -> lines.add("worker    " + worker));
    if (!number.isEmpty()) {
      lines.add("sequence  " + facts.sequence());
    }
    return lines;
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", id);
    json.put("kind", kind);
    if (!number.isEmpty()) {
      json.put("form", form);
      json.put("note", NOTE);
      json.put("number", number);
      json.put("sequence", String.valueOf(facts.sequence()));
    }
    facts.time().ifPresent(time -> json.put("time", time));
    facts.worker().ifPresent(worker -> json.put("worker", worker));
    return json;
  }
}
