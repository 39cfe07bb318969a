package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Tls;
import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Opens connections and looks at the server before it hands them out. Any thread may use it. */
final class Dialer {

  private final JedisClientConfig config;
  private final Optional<Tls> tls;
  private final Duration connectTimeout;
  private final StartCheck check;
  private final boolean cluster;

  Dialer(
      JedisClientConfig config,
      Optional<Tls> tls,
      Duration connectTimeout,
      StartCheck check,
      boolean cluster) {
    this.config = config;
    this.tls = tls;
    this.connectTimeout = connectTimeout;
    this.check = check;
    this.cluster = cluster;
  }

  /** A connection to a master that may be used. */
  Link dial(Server address, Sockets sockets, Deadline deadline) throws EngineException {
    Link link = plain(address, sockets, deadline);
    boolean done = false;
    try {
      look(link);
      done = true;
      return link;
    } catch (JedisException e) {
      throw new EngineException.NotDone(address + " broke off: " + e.getMessage(), e);
    } finally {
      if (!done) {
        link.cut();
      }
    }
  }

  /** A connection that nobody looked through: for signals and for asking the way. */
  Link plain(Server address, Sockets sockets, Deadline deadline) throws EngineException {
    Plug plug = new Plug(address, tls, deadline.orIn(connectTimeout), deadline, sockets);
    boolean done = false;
    try {
      Link link = new Link(address, plug, config, deadline);
      done = true;
      return link;
    } catch (JedisDataException e) {
      throw ServerErrors.ofLogin(String.valueOf(e.getMessage()), address.toString());
    } catch (JedisException e) {
      throw noConnection(address, e);
    } finally {
      if (!done) {
        plug.cut();
      }
    }
  }

  private static EngineException noConnection(Server address, JedisException e) {
    if (isMistrust(e)) {
      return new EngineException.Refused(
          "the certificate of " + address + " is not trusted: " + e.getMessage(), e);
    }
    return new EngineException.NotDone("no connection to " + address + ": " + PlainText.of(e), e);
  }

  private static boolean isMistrust(@Nullable Throwable e) {
    return e != null
        && (e instanceof CertificateException
            || e instanceof SSLPeerUnverifiedException
            || isMistrust(e.getCause()));
  }

  private void look(Link link) throws EngineException {
    String address = link.address().toString();
    Object info = link.ask(Command.INFO);
    if (info instanceof byte[] text) {
      ServerFacts facts = ServerFacts.parse(new String(text, StandardCharsets.UTF_8));
      link.runId(facts.runId());
      check.look(address, facts);
      right(address, facts);
    } else if (info instanceof JedisDataException error) {
      String said = String.valueOf(error.getMessage());
      if (!ServerErrors.kind(said).equals("NOPERM")) {
        throw ServerErrors.ofLogin(said, address);
      }
      check.unseen(address, said);
    }
  }

  /** A node of a cluster has only some of the keys: whoever takes it for all would fail later. */
  private void right(String address, ServerFacts facts) throws EngineException {
    if (facts.isClusterNode() != cluster) {
      throw new EngineException.Refused(
          cluster
              ? address + " is not part of a cluster: use redis://"
              : address + " is part of a cluster: use redis-cluster://");
    }
  }
}
