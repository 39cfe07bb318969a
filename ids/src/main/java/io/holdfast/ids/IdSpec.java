package io.holdfast.ids;

import io.holdfast.Holdfast;
import java.util.Locale;
import java.util.UUID;

/**
 * A generator and a form as text, for command lines and configuration files.
 *
 * <p>Examples: {@code uuid4}, {@code uuid7}, {@code timeline:orders}, {@code segment:orders},
 * {@code counter:orders}.
 *
 * @param kind the generator
 * @param name the name of the ids; empty for UUIDs
 * @param form the form of numbers; UUIDs have their own form
 */
public record IdSpec(Kind kind, String name, Form form) {

  /** The kinds of generators. */
  public enum Kind {
    /** {@link Ids#uuid4()}. */
    UUID4,
    /** {@link Ids#uuid7()}. */
    UUID7,
    /** {@link Ids#timeline(String)}. */
    TIMELINE,
    /** {@link Ids#segment(String)}. */
    SEGMENT,
    /** {@link Ids#counter(String)}. */
    COUNTER;

    /** Returns whether the generator needs a store and a name. */
    public boolean needsStore() {
      return this != UUID4 && this != UUID7;
    }
  }

  /** The forms of numbers. */
  public enum Form {
    /** {@link IdForm#decimal()}. */
    DECIMAL,
    /** {@link IdForm#crockford()}. */
    CROCKFORD,
    /** {@link IdForm#base62()}. */
    BASE62,
    /** {@link IdForm#dated} in the standard layout; only for timelines. */
    DATED;

    IdForm form() {
      return switch (this) {
        case DECIMAL -> IdForm.decimal();
        case CROCKFORD -> IdForm.crockford();
        case BASE62 -> IdForm.base62();
        case DATED -> IdForm.dated(IdLayout.STANDARD);
      };
    }
  }

  /** A generator of ids as text. */
  public interface Texts extends AutoCloseable {

    /** Returns the next id; blocks and fails as the generator does. */
    String next();

    /** Returns the parts of an id. */
    IdFacts describe(String text);

    @Override
    void close();
  }

  public IdSpec {
    if (kind.needsStore() == name.isEmpty()) {
      throw new IllegalArgumentException(
          kind.needsStore()
              ? "a name is missing: write " + word(kind) + ":NAME"
              : word(kind) + " takes no name: name=" + name);
    }
    if (form == Form.DATED && kind != Kind.TIMELINE) {
      throw new IllegalArgumentException(
          "only timeline ids contain a date: kind=" + word(kind) + " form=dated");
    }
  }

  /**
   * Parses a text such as {@code timeline:orders}.
   *
   * @param form in upper or lower case, such as {@code base62}
   * @throws IllegalArgumentException if it is invalid; the message lists the known words
   */
  public static IdSpec parse(String text, String form) {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    return new IdSpec(
        value(Kind.class, "ids", kind),
        colon < 0 ? "" : text.substring(colon + 1),
        value(Form.class, "form", form));
  }

  private static <E extends Enum<E>> E value(Class<E> type, String what, String word) {
    for (E value : type.getEnumConstants()) {
      if (word(value).equals(word.toLowerCase(Locale.ROOT))) {
        return value;
      }
    }
    StringBuilder known = new StringBuilder();
    for (E value : type.getEnumConstants()) {
      known.append(known.isEmpty() ? "" : ", ").append(word(value));
    }
    throw new IllegalArgumentException("unknown " + what + ": " + word + "; known are " + known);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Opens a generator of UUIDs, which need no store. */
  public Texts open() {
    if (kind.needsStore()) {
      throw new IllegalArgumentException(word(kind) + " needs a store");
    }
    return new UuidTexts(kind == Kind.UUID4 ? Ids.uuid4() : Ids.uuid7());
  }

  /** Opens the generator; closing it does not close the client. */
  public Texts open(Holdfast holdfast) {
    Ids ids = Ids.over(holdfast);
    return switch (kind) {
      case UUID4, UUID7 -> open();
      case TIMELINE -> new NumberTexts(ids.timeline(name), form.form());
      case SEGMENT -> new NumberTexts(ids.segment(name), form.form());
      case COUNTER -> new NumberTexts(ids.counter(name), form.form());
    };
  }

  private record UuidTexts(UuidIds ids) implements Texts {

    @Override
    public String next() {
      return ids.next().toString();
    }

    @Override
    public IdFacts describe(String text) {
      return ids.describe(UUID.fromString(text));
    }

    @Override
    public void close() {}
  }

  private record NumberTexts(LongIds ids, IdForm form) implements Texts {

    @Override
    public String next() {
      return form.write(ids.next());
    }

    @Override
    public IdFacts describe(String text) {
      return ids.describe(form.read(text));
    }

    @Override
    public void close() {
      ids.close();
    }
  }
}
