package io.holdfast.cli.commands.inspect;

import java.util.regex.Pattern;

/**
 * A filter for names: a prefix, or a shell pattern for the whole name. It is a pattern if it
 * contains {@code *} or {@code ?}.
 *
 * @param prefix what all of them begin with, so that a store need not list the others
 */
record NamePattern(String prefix, Pattern form) {

  private static final String WILD = "*?";

  static NamePattern of(String text) {
    int wild = 0;
    while (wild < text.length() && WILD.indexOf(text.charAt(wild)) < 0) {
      wild++;
    }
    if (wild == text.length()) {
      return new NamePattern(text, Pattern.compile(Pattern.quote(text) + ".*", Pattern.DOTALL));
    }
    StringBuilder form = new StringBuilder();
    // By code points: half of one would match nothing.
    text.codePoints()
        .forEach(
            c ->
                form.append(
                    c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c))));
    return new NamePattern(
        text.substring(0, wild), Pattern.compile(form.toString(), Pattern.DOTALL));
  }

  boolean matches(String name) {
    return form.matcher(name).matches();
  }
}
