package io.holdfast.benchmarks;

import java.util.regex.Pattern;

/** Where an etcd cluster is, for peers: plain {@code etcd://host:port}. */
record EtcdAddress(String hostAndPort) {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]+:\\d{1,5}");
  private static final String SCHEME = "etcd://";

  /**
   * Takes an address apart.
   *
   * @throws BadOptionException when it has another form; without quoting it, as it may have a
   *     password
   */
  static EtcdAddress of(String uri) {
    String rest = uri.startsWith(SCHEME) ? uri.substring(SCHEME.length()) : "";
    if (!PLAIN.matcher(rest).matches()) {
      throw new BadOptionException("--store must be etcd://host:port for peers over etcd");
    }
    return new EtcdAddress(rest);
  }

  /** As clients of etcd write it. */
  String endpoint() {
    return "http://" + hostAndPort;
  }
}
