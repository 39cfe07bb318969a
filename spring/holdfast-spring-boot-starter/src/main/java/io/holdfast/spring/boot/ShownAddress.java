package io.holdfast.spring.boot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address as messages show it: without logins and parameters, which may be secrets. */
final class ShownAddress {

  private static final String SCHEME = "(?:jdbc:)?[A-Za-z][A-Za-z0-9+.-]*:";
  private static final String HOST = "[\\w.-]+|\\[[0-9A-Fa-f:.]+]";
  private static final String HOSTS = one("(?:" + HOST + ")(?::\\d{1,5})?");
  private static final Pattern PLAIN = Pattern.compile(SCHEME + "//" + HOSTS + "(?:/[\\w./-]*)?");
  private static final Pattern BEGINNING = Pattern.compile("(" + SCHEME + ").*", Pattern.DOTALL);

  private ShownAddress() {}

  private static String one(String host) {
    return host + "(?:," + host + ")*";
  }

  /** Returns the address, or only its scheme if the rest may have a secret. */
  static String of(String address) {
    String shown = address;
    int login = shown.lastIndexOf('@');
    if (login >= 0 && shown.indexOf('?') < 0) {
      int begin = shown.indexOf("//");
      shown = (begin < 0 ? "" : shown.substring(0, begin + 2)) + shown.substring(login + 1);
    } else if (login < 0 && shown.indexOf('?') >= 0) {
      shown = shown.substring(0, shown.indexOf('?'));
    }
    if (PLAIN.matcher(shown).matches()) {
      return shown;
    }
    Matcher scheme = BEGINNING.matcher(address);
    return scheme.matches() ? scheme.group(1) + "..." : "...";
  }
}
