package io.holdfast.jdbc.connection;

import io.holdfast.spi.support.UriParameters;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Removes the secrets of an address from errors: some drivers quote all of it. */
final class SecretFilter {

  /** The replacement of a secret. */
  private static final String HIDDEN = "…";

  /** Values of parameters such as password, trustStorePassword, secret. */
  private static final Pattern VALUE =
      Pattern.compile("(?i)[?&;(,]\\s*\\w*(?:password|passwd|pwd|secret)\\w*=([^&;(),]+)");

  /** The password before a host. */
  private static final Pattern LOGIN = Pattern.compile("//[^/@:]*:([^@]+)@");

  /** A setting between semicolons, up to its value. */
  private static final Pattern SETTING = Pattern.compile(";([^;=?&]{3,})");

  private final List<String> secrets = new ArrayList<>();

  /** Creates a filter for the secrets of an address and this password. */
  SecretFilter(String url, String password) {
    for (Pattern pattern : List.of(VALUE, LOGIN)) {
      for (Matcher found = pattern.matcher(url); found.find(); ) {
        add(found.group(1));
        add(decoded(found.group(1)));
        add(decodedByDriver(found.group(1)));
        addRest(url.substring(found.end(1)));
      }
    }
    add(password);
  }

  /**
   * Text after a password may be the end of a password with a semicolon in it; H2 quotes it as the
   * name of a setting, in capitals.
   */
  private void addRest(String rest) {
    for (Matcher found = SETTING.matcher(rest); found.find(); ) {
      add(found.group(1));
      add(found.group(1).toUpperCase(Locale.ROOT));
    }
  }

  private void add(String secret) {
    if (!secret.isEmpty()) {
      secrets.add(secret);
    }
  }

  private static String decoded(String text) {
    try {
      return UriParameters.decode("password", text);
    } catch (IllegalArgumentException e) {
      // Not encoded.
      return text;
    }
  }

  /** Drivers take a plus for a space, and may quote that. */
  private static String decodedByDriver(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Not encoded.
      return text;
    }
  }

  /** Returns the error itself if it has no secret; otherwise a similar one, without its causes. */
  SQLException hide(SQLException error) {
    boolean leaks = false;
    for (@Nullable Throwable each = error; each != null && !leaks; each = each.getCause()) {
      leaks = !hide(each.toString()).equals(each.toString());
    }
    if (!leaks) {
      return error;
    }
    String words = hide(String.valueOf(error.getMessage()));
    boolean lost = error instanceof SQLNonTransientConnectionException;
    SQLException hidden =
        lost
            ? new SQLNonTransientConnectionException(
                words, error.getSQLState(), error.getErrorCode())
            : new SQLException(words, error.getSQLState(), error.getErrorCode());
    hidden.setStackTrace(error.getStackTrace());
    return hidden;
  }

  private String hide(String text) {
    String hidden = text;
    for (String secret : secrets) {
      hidden = hidden.replace(secret, HIDDEN);
    }
    return hidden;
  }
}
