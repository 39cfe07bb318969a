package io.holdfast.server.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.holdfast.spi.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes and reads an entry as one line of JSON.
 *
 * <p>Numbers are texts, because JavaScript cannot hold a token. A field without a value is left
 * out.
 */
public final class AuditJson {

  private static final JsonFactory JSON = new JsonFactory();

  private AuditJson() {}

  /** Returns the line, with its line feed. */
  static byte[] line(AuditEntry entry) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      for (Map.Entry<String, String> field : fields(entry).entrySet()) {
        json.writeStringField(field.getKey(), field.getValue());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("writing into memory does not fail", e);
    }
    out.write('\n');
    return out.toByteArray();
  }

  /** Returns the fields of the entry, for the line and for listings. */
  public static Map<String, String> fields(AuditEntry entry) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("number", Long.toString(entry.number()));
    fields.put("time", entry.time().toString());
    fields.put("what", entry.what().word());
    fields.put("who", entry.who());
    if (entry.lock().isPresent()) {
      fields.put("namespace", entry.lock().get().namespace());
      fields.put("name", entry.lock().get().name());
    }
    if (entry.token() != 0) {
      fields.put("token", Long.toString(entry.token()));
    }
    if (!entry.owner().isEmpty()) {
      fields.put("owner", entry.owner());
    }
    if (!entry.reason().isEmpty()) {
      fields.put("reason", entry.reason());
    }
    return fields;
  }

  /** Returns the entry of a line, or nothing when the line is not one: cut off by a crash. */
  static Optional<AuditEntry> read(byte[] line) {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = JSON.createParser(line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (json.nextToken() != JsonToken.VALUE_STRING) {
          return Optional.empty();
        }
        fields.put(name, json.getText());
      }
      return json.currentToken() == JsonToken.END_OBJECT ? entry(fields) : Optional.empty();
    } catch (IOException | IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<AuditEntry> entry(Map<String, String> fields) {
    String name = fields.getOrDefault("name", "");
    Optional<Resource> lock =
        name.isEmpty()
            ? Optional.empty()
            : Optional.of(new Resource(fields.getOrDefault("namespace", ""), name));
    Instant time = Instant.parse(fields.getOrDefault("time", ""));
    long number = Long.parseLong(fields.getOrDefault("number", ""));
    return AuditEntry.What.of(fields.getOrDefault("what", ""))
        .map(
            what ->
                new AuditEntry(
                    number,
                    time,
                    what,
                    fields.getOrDefault("who", ""),
                    lock,
                    Long.parseLong(fields.getOrDefault("token", "0")),
                    fields.getOrDefault("owner", ""),
                    fields.getOrDefault("reason", "")));
  }
}
