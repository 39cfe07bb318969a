package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * A connection to one server that sends and reads in separate steps.
 *
 * <p>So calls can be sent to several servers before any reply is read. Throws what Jedis throws
 * when the connection breaks, and never reconnects. Not thread-safe, except {@link #cut}.
 */
public final class RedisConnection extends Connection {

  private final Server address;
  private final RedisSocketFactory socketFactory;
  private final PeekStream peek;
  private final RedisInputStream incoming;
  private byte[] runId = new byte[0];
  private Deadline deadline;
  private boolean turnedAway;
  // No initial value: the constructor of Connection connects before any would be set.
  private boolean begun;

  /** Connects and logs in. */
  RedisConnection(
      Server address,
      RedisSocketFactory socketFactory,
      JedisClientConfig config,
      Deadline deadline) {
    super(socketFactory, config);
    this.address = address;
    this.socketFactory = socketFactory;
    this.deadline = deadline;
    // All replies to the login have been read, so nothing is left in the buffer of Jedis.
    this.peek = peek(socketFactory.socket());
    this.incoming = new RedisInputStream(peek);
  }

  private static PeekStream peek(Socket socket) {
    try {
      return new PeekStream(socket, socket.getInputStream());
    } catch (IOException e) {
      throw new JedisConnectionException(e.getMessage(), e);
    }
  }

  /** Connects only once: Jedis would reconnect by itself, to a server that was not checked. */
  @Override
  public void connect() {
    if (!begun) {
      begun = true;
      super.connect();
    }
  }

  Server address() {
    return address;
  }

  /** Returns the server's run id; empty if it is not known. */
  public byte[] runId() {
    return runId;
  }

  void runId(String id) {
    runId = id.getBytes(StandardCharsets.US_ASCII);
  }

  /** Sets when replies must have arrived. */
  public void deadline(Deadline by) {
    deadline = by;
  }

  public Deadline deadline() {
    return deadline;
  }

  /** Flushes the buffer. */
  public void push() {
    flush();
  }

  /** Returns whether the next reply has begun to arrive, or the connection has ended, by then. */
  boolean awaitReply(int millis) {
    try {
      return peek.await(millis);
    } catch (IOException e) {
      throw new JedisConnectionException(e.getMessage(), e);
    }
  }

  /** Returns the next reply; an error of the server is returned, not thrown. */
  @SuppressWarnings("deprecation") // The other read wants to know of RESP3, which is not spoken.
  public Object receive() {
    try {
      socketFactory.socket().setSoTimeout(deadline.millisLeft());
      return answered(Protocol.read(incoming));
    } catch (JedisDataException e) {
      turnedAway |= ServerErrors.isElsewhere(String.valueOf(e.getMessage()));
      return e;
    } catch (SocketException e) {
      throw new JedisConnectionException(e.getMessage(), e);
    }
  }

  @SuppressWarnings("NullAway") // Jedis does not say so, but the server's nil comes as null.
  private static Object answered(Object value) {
    return value == null ? ScriptReply.Nil.NIL : value;
  }

  /** Returns whether the server reported that it is not the master: reconnect. */
  public boolean isTurnedAway() {
    return turnedAway;
  }

  /** Sends one command and returns its reply. */
  public Object ask(ProtocolCommand command, String... args) {
    sendCommand(command, args);
    push();
    return receive();
  }

  /** Returns the input, for a caller that reads it itself from now on. */
  InputStream incoming(int timeoutMillis) {
    try {
      Socket socket = socketFactory.socket();
      socket.setSoTimeout(timeoutMillis);
      return socket.getInputStream();
    } catch (IOException e) {
      throw new JedisConnectionException(e.getMessage(), e);
    }
  }

  /** Breaks the connection, from any thread: a read that blocks ends. */
  public void cut() {
    socketFactory.cut();
  }

  /** The input of a socket, which can be awaited without consuming it. */
  private static final class PeekStream extends FilterInputStream {

    private static final int SIZE = 8_192;

    private final Socket socket;
    private final byte[] seen = new byte[SIZE];
    private int from;
    private int to;
    private boolean over;

    PeekStream(Socket socket, InputStream in) {
      super(in);
      this.socket = socket;
    }

    /** Returns whether there is input, or the connection has ended, within that time. */
    boolean await(int millis) throws IOException {
      if (from < to || over) {
        return true;
      }
      socket.setSoTimeout(millis);
      try {
        int count = in.read(seen);
        from = 0;
        to = Math.max(0, count);
        over = count < 0;
        return true;
      } catch (SocketTimeoutException e) {
        return false;
      }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (from == to) {
        return over ? -1 : in.read(bytes, offset, length);
      }
      int count = Math.min(length, to - from);
      System.arraycopy(seen, from, bytes, offset, count);
      from += count;
      return count;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }
  }
}
