package io.holdfast.cli.commands.doctor;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One thing that was looked at.
 *
 * @param subject what it is about, in a word or two
 * @param text what was seen, without secrets
 * @param fix what to do about it; empty if nothing
 */
public record Finding(Level level, String subject, String text, String fix) {

  /** How it is. */
  public enum Level {
    /** As it should be. */
    GOOD,
    /** Good to know. */
    NOTE,
    /** Can cost a lock one day. */
    WARN,
    /** Does not work. */
    BAD
  }

  static Finding good(String subject, String text) {
    return new Finding(Level.GOOD, subject, text, "");
  }

  static Finding note(String subject, String text) {
    return new Finding(Level.NOTE, subject, text, "");
  }

  static Finding warn(String subject, String text, String fix) {
    return new Finding(Level.WARN, subject, text, fix);
  }

  /** Something that does not work. */
  public static Finding bad(String subject, String text, String fix) {
    return new Finding(Level.BAD, subject, text, fix);
  }

  /** Whether somebody should do something. */
  public boolean isTrouble() {
    return level == Level.WARN || level == Level.BAD;
  }

  /** For programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("level", level.name().toLowerCase(Locale.ROOT));
    json.put("subject", subject);
    json.put("text", text);
    json.put("fix", fix);
    return json;
  }
}
