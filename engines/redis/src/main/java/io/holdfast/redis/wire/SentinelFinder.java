package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Asks the sentinels, one after another, beginning with the one that answered last: one that is
 * dead costs the others one timeout for connecting, once.
 */
final class SentinelFinder implements MasterFinder {

  private final List<Server> sentinels;
  private final String master;
  private final Dialer dialer;
  private final Duration patience;
  private final AtomicInteger first = new AtomicInteger();

  /**
   * A finder.
   *
   * @param patience how long one sentinel may take to answer
   */
  SentinelFinder(List<Server> sentinels, String master, Dialer dialer, Duration patience) {
    this.patience = patience;
    this.sentinels = sentinels;
    this.master = master;
    this.dialer = dialer;
  }

  @Override
  public Server find(Sockets sockets, Deadline deadline) throws EngineException {
    StringJoiner said = new StringJoiner("; ");
    boolean permanent = true;
    int from = first.get();
    for (int i = 0; i < sentinels.size(); i++) {
      int asked = Math.floorMod(from + i, sentinels.size());
      try {
        Server found = ask(sentinels.get(asked), sockets, deadline.orIn(patience));
        first.compareAndSet(from, asked);
        return found;
      } catch (EngineException e) {
        permanent &= e instanceof EngineException.Refused;
        said.add(e.getMessage());
      }
    }
    String all = "no sentinel names the master " + master + ": " + said;
    throw permanent ? new EngineException.Refused(all) : new EngineException.NotDone(all, null);
  }

  /** Another sentinel may know better. */
  @Override
  public void doubt() {
    first.getAndIncrement();
  }

  private Server ask(Server sentinel, Sockets sockets, Deadline deadline) throws EngineException {
    Link link = dialer.plain(sentinel, sockets, deadline);
    try {
      Object answer = link.ask(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", master);
      if (answer instanceof JedisDataException error) {
        throw ServerErrors.ofLogin(String.valueOf(error.getMessage()), sentinel.toString());
      }
      if (answer instanceof List<?> parts
          && parts.size() == 2
          && parts.get(0) instanceof byte[] host
          && parts.get(1) instanceof byte[] port) {
        return new Server(text(host), Integer.parseInt(text(port)));
      }
      throw new EngineException.Refused(sentinel + " does not know it");
    } catch (JedisException | IllegalArgumentException e) {
      throw new EngineException.NotDone(sentinel + " broke off: " + e.getMessage(), e);
    } finally {
      link.cut();
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
