package io.holdfast.cli.bench;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Host and port of one Redis server. */
public record RedisAddress(String host, int port) {

  private static final int DEFAULT_PORT = 6379;
  private static final Pattern PLAIN =
      Pattern.compile("redis://(?<host>[A-Za-z0-9._-]+)(:(?<port>\\d{1,5}))?/?");

  /** Parses {@code redis://host:port}; empty if the URI has any other form. */
  public static Optional<RedisAddress> of(String uri) {
    Matcher matcher = PLAIN.matcher(uri);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String port = matcher.group("port");
    return Optional.of(
        new RedisAddress(
            matcher.group("host"), port == null ? DEFAULT_PORT : Integer.parseInt(port)));
  }

  /** Returns the URI of this server. */
  public String uri() {
    return "redis://" + host + ":" + port;
  }
}
