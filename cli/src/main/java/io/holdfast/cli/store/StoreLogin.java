package io.holdfast.cli.store;

import io.holdfast.cli.ArgumentEncoding;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * User and password from a protected source, and how each kind of address takes them.
 *
 * @param user empty if none was given
 * @param password empty if none was given
 */
record StoreLogin(String user, String password) {

  /** {@code HOLDFAST_USER} and {@code HOLDFAST_PASSWORD} go before the config file. */
  static StoreLogin of(Map<String, String> environment, ConfigFile config) {
    String user =
        first(ArgumentEncoding.variable(environment, "HOLDFAST_USER"), config.get("user"));
    String password = ArgumentEncoding.variable(environment, "HOLDFAST_PASSWORD");
    if (password == null) {
      String file = config.get("password-file");
      password = file == null ? config.get("password") : read(config.resolve(file));
    }
    return new StoreLogin(user, first(password, null));
  }

  private static String first(@Nullable String one, @Nullable String other) {
    return one != null ? one : other != null ? other : "";
  }

  private static String read(Path file) {
    ConfigFile.requirePrivate(file);
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, "cannot read the password file " + file);
    }
  }

  /** The address with this login, unless it has one of its own; a user may have no password. */
  String into(String uri) {
    if ((user.isEmpty() && password.isEmpty()) || StoreAddress.hasPassword(uri)) {
      return uri;
    }
    String lower = uri.toLowerCase(Locale.ROOT);
    if (lower.startsWith("jdbc:postgresql:")) {
      return parameter(parameter(uri, "user", encoded(user)), "password", encoded(password));
    }
    if (lower.startsWith("jdbc:mariadb:") || lower.startsWith("jdbc:mysql:")) {
      return parameter(parameter(uri, "user", plain(user, "&")), "password", plain(password, "&"));
    }
    if (lower.startsWith("jdbc:h2:")) {
      return h2(uri);
    }
    return lower.startsWith("jdbc:") ? uri : authority(uri);
  }

  private String h2(String uri) {
    int query = uri.indexOf('?');
    String login =
        (user.isEmpty() ? "" : ";USER=" + plain(user, ";?"))
            + (password.isEmpty() ? "" : ";PASSWORD=" + plain(password, ";?"));
    return query < 0 ? uri + login : uri.substring(0, query) + login + uri.substring(query);
  }

  /** {@code scheme://user:password@host}; a user that is in the address already stays. */
  private String authority(String uri) {
    int slashes = uri.indexOf("//");
    if (slashes < 0) {
      return uri;
    }
    int begin = slashes + 2;
    int end = begin;
    while (end < uri.length() && "/?".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    int at = uri.lastIndexOf('@', end);
    String named = at < begin ? encoded(user) : uri.substring(begin, at);
    String hosts = uri.substring(at < begin ? begin : at + 1);
    String secret = password.isEmpty() ? "" : ":" + encoded(password);
    return uri.substring(0, begin) + named + secret + "@" + hosts;
  }

  private static String parameter(String uri, String name, String value) {
    if (value.isEmpty() || uri.matches(".*[?&]" + name + "=.*")) {
      return uri;
    }
    return uri + (uri.indexOf('?') < 0 ? "?" : "&") + name + "=" + value;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Drivers that take a password as it is have characters that would end it. */
  private static String plain(String password, String ends) {
    for (int i = 0; i < ends.length(); i++) {
      if (password.indexOf(ends.charAt(i)) >= 0) {
        throw new CliException(
            ExitCode.USAGE,
            "the driver of this database takes no user or password with the character '"
                + ends.charAt(i)
                + "'");
      }
    }
    return password;
  }
}
