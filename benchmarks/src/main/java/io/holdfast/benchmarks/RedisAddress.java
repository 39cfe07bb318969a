package io.holdfast.benchmarks;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a Redis server is, for peers: each has its own way to write the rest of a URI. */
record RedisAddress(String host, int port) {

  private static final int USUAL_PORT = 6379;
  private static final Pattern PLAIN =
      Pattern.compile("redis://(?<host>[A-Za-z0-9._-]+)(:(?<port>\\d{1,5}))?/?");

  /**
   * Takes {@code redis://host:port} apart.
   *
   * @throws BadOptionException when it has another form; without quoting it, as it may have a
   *     password
   */
  static RedisAddress of(String uri) {
    return ifPlain(uri)
        .orElseThrow(
            () -> new BadOptionException("--store must be redis://host:port for peers over Redis"));
  }

  /** The address, if the URI has that form. */
  static Optional<RedisAddress> ifPlain(String uri) {
    Matcher matcher = PLAIN.matcher(uri);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String port = matcher.group("port");
    return Optional.of(
        new RedisAddress(
            matcher.group("host"), port == null ? USUAL_PORT : Integer.parseInt(port)));
  }

  String uri() {
    return "redis://" + host + ":" + port;
  }
}
