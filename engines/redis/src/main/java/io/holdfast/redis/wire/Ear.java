package io.holdfast.redis.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * A connection that listens. One thread reads; writers agree among themselves. A server that says
 * nothing is asked for a sign of life, so that a connection that is dead unnoticed ends.
 */
final class Ear {

  private final Link link;
  private final Listening.Style style;
  private final RedisInputStream incoming;

  /**
   * An ear.
   *
   * @param onSilence asks for a sign of life
   */
  Ear(Link link, Listening.Style style, Duration silence, Runnable onSilence) {
    this.link = link;
    this.style = style;
    int millis = (int) Math.min(Math.max(1, silence.toMillis()), Integer.MAX_VALUE);
    this.incoming = new RedisInputStream(new Patient(link.incoming(millis), onSilence));
  }

  void begin(List<String> channels) {
    String[] all = channels.toArray(String[]::new);
    for (int from = 0; from < all.length; from += style.atOnce) {
      int to = Math.min(all.length, from + style.atOnce);
      link.sendCommand(style.on, Arrays.copyOfRange(all, from, to));
    }
    link.push();
  }

  void end(String channel) {
    link.sendCommand(style.off, channel);
    link.push();
  }

  void ping() {
    link.sendCommand(Command.PING);
    link.push();
  }

  /** Waits for what comes next; throws when the connection ends. */
  @SuppressWarnings("deprecation") // The other read wants to know of RESP3, which is not spoken.
  Signal next() {
    try {
      return Signal.of(Protocol.read(incoming));
    } catch (JedisDataException e) {
      return Signal.of(e);
    }
  }

  void cut() {
    link.cut();
  }

  /** Below Jedis' buffer, so that a silence in the middle of a message breaks nothing. */
  private static final class Patient extends FilterInputStream {

    private final Runnable onSilence;

    Patient(InputStream in, Runnable onSilence) {
      super(in);
      this.onSilence = onSilence;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return in.read(bytes, offset, length);
      } catch (SocketTimeoutException e) {
        onSilence.run();
        return in.read(bytes, offset, length);
      }
    }
  }
}
