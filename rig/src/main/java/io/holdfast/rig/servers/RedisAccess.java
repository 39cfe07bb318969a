package io.holdfast.rig.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;

/**
 * What a client needs besides the address in order to be let in. Immutable.
 *
 * @param password of the default user
 * @param certificates whose authority signed the server; present if the server speaks TLS
 */
record RedisAccess(Optional<String> password, Optional<TestCertificates> certificates) {
  /** No password and no TLS. */
  static final RedisAccess OPEN = new RedisAccess(Optional.empty(), Optional.empty());

  /** A socket over which Redis can be talked to; TLS is set up, nobody is logged in. */
  Socket connect(InetSocketAddress server, Duration timeout) throws IOException {
    int millis = Math.toIntExact(timeout.toMillis());
    Socket plain = new Socket();
    try {
      plain.setSoTimeout(millis);
      plain.connect(server, millis);
      return certificates.isPresent() ? certificates.get().overTls(plain, server.getPort()) : plain;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }
}
