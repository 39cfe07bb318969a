package io.holdfast.ids;

import io.holdfast.Holdfast;
import java.util.Locale;
import java.util.UUID;

/**
 * Ids as a command line asks for them, in one word: {@code uuid4}, {@code uuid7}, {@code
 * timeline:orders}, {@code segment:orders}, {@code counter:orders}; and in which form they are
 * written.
 *
 * @param kind which generator
 * @param name of the ids; empty for UUIDs
 * @param form how numbers are written; UUIDs have their own form
 */
public record IdSpec(Kind kind, String name, Form form) {

  /** The generators. */
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

    /** Whether it needs a store, and a name in it. */
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
    /** {@link IdForm#dated} in the standard layout: for timelines alone. */
    DATED;

    IdForm form() {
      return switch (this) {
        case DECIMAL -> IdForm.decimal();
        case CROCKFORD -> IdForm.crockford();
        case BASE62 -> IdForm.base62();
        case DATED -> IdForm.dated(Layout.STANDARD);
      };
    }
  }

  /** Texts of ids, one after another, and what they tell. */
  public interface Texts extends AutoCloseable {

    /** The next one; blocks and fails as the generator does. */
    String next();

    /** What a text of this kind tells. */
    IdFacts describe(String text);

    @Override
    void close();
  }

  public IdSpec {
    if (kind.needsStore() == name.isEmpty()) {
      throw new IllegalArgumentException(
          kind.needsStore()
              ? "which ids? " + word(kind) + ":NAME"
              : word(kind) + " has no name: name=" + name);
    }
    if (form == Form.DATED && kind != Kind.TIMELINE) {
      throw new IllegalArgumentException(
          "only timeline ids have their day in them: kind=" + word(kind) + " form=dated");
    }
  }

  /**
   * Reads one, such as {@code timeline:orders}.
   *
   * @param form in small or large letters, such as {@code base62}
   * @throws IllegalArgumentException naming what is known
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
    throw new IllegalArgumentException("no such " + what + ": " + word + "; there are " + known);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Opens UUIDs, which need no store. */
  public Texts open() {
    if (kind.needsStore()) {
      throw new IllegalArgumentException(word(kind) + " needs a store");
    }
    return new UuidTexts(kind == Kind.UUID4 ? Ids.uuid4() : Ids.uuid7());
  }

  /** Opens them; the client stays the caller's to close. */
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
