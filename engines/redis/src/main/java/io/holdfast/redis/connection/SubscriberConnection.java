package io.holdfast.redis.connection;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * A connection that receives signals.
 *
 * <p>One thread reads; writers synchronize among themselves. A silent server is pinged, so that a
 * connection that died unnoticed ends.
 */
final class SubscriberConnection {

  private static final String WATCH_SEPARATOR = String.valueOf(ServerTopology.WATCH_SEPARATOR);

  private final RedisConnection connection;
  private final SubscriberSettings.Style style;
  private final RedisInputStream incoming;

  /**
   * Creates a subscriber over an open connection.
   *
   * @param onSilence sends a ping
   */
  SubscriberConnection(
      RedisConnection connection,
      SubscriberSettings.Style style,
      Duration silence,
      Runnable onSilence) {
    this.connection = connection;
    this.style = style;
    int millis = (int) Math.min(Math.max(1, silence.toMillis()), Integer.MAX_VALUE);
    this.incoming = new RedisInputStream(new Patient(connection.incoming(millis), onSilence));
  }

  /** Makes the server track the keys that are read here and report changes, if that is needed. */
  void greet() {
    if (style.watches()) {
      // With RESP3 the same connection can send requests and receive pushes.
      connection.sendCommand(Command.HELLO, "3");
      connection.sendCommand(Command.CLIENT, "TRACKING", "ON");
      connection.push();
    }
  }

  void begin(List<String> channels) {
    Script look = style.look();
    if (look != null) {
      channels.forEach(watch -> look(look, watch));
      connection.push();
      return;
    }
    String[] all = channels.toArray(String[]::new);
    for (int from = 0; from < all.length; from += style.atOnce()) {
      int to = Math.min(all.length, from + style.atOnce());
      connection.sendCommand(style.on(), Arrays.copyOfRange(all, from, to));
    }
    connection.push();
  }

  private void look(Script script, String watch) {
    String[] parts = watch.split(WATCH_SEPARATOR, -1);
    List<byte[]> args = new ArrayList<>();
    args.add(script.source());
    args.add(bytes(String.valueOf(parts.length - 1)));
    for (int i = 1; i < parts.length; i++) {
      args.add(bytes(parts[i]));
    }
    args.add(bytes(watch));
    args.add(bytes(parts[0]));
    connection.sendCommand(style.on(), args.toArray(byte[][]::new));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  void end(String channel) {
    Command off = style.off();
    if (off != null) {
      connection.sendCommand(off, channel);
      connection.push();
    }
  }

  void ping() {
    connection.sendCommand(Command.PING);
    connection.push();
  }

  /** Waits for the next signal; throws when the connection ends. */
  @SuppressWarnings("deprecation") // The other read hands pushes elsewhere; this one returns them.
  SubscriberSignal next() {
    try {
      return SubscriberSignal.of(Protocol.read(incoming));
    } catch (JedisDataException e) {
      return SubscriberSignal.of(e);
    }
  }

  void cut() {
    connection.cut();
  }

  /** Below the buffer of Jedis, so that a pause in the middle of a message breaks nothing. */
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
