package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * A connection to one server that sends and reads in steps, so that calls can be sent to several
 * servers before any answer is read. Throws what Jedis throws when the connection breaks; it is not
 * made again. For one thread, except {@link #cut}.
 */
final class Link extends Connection {

  private final Server address;
  private final Plug plug;
  private final PeekStream peek;
  private final RedisInputStream incoming;
  private byte[] runId = new byte[0];
  private Deadline deadline;
  private boolean turnedAway;
  // No initial value: the constructor of Connection connects before any would be set.
  private boolean begun;

  /** Connects and logs in. */
  Link(Server address, Plug plug, JedisClientConfig config, Deadline deadline) {
    super(plug, config);
    this.address = address;
    this.plug = plug;
    this.deadline = deadline;
    // All that the login was answered has been read, so nothing is left in the buffer of Jedis.
    this.peek = peek(plug.socket());
    this.incoming = new RedisInputStream(peek);
  }

  private static PeekStream peek(Socket socket) {
    try {
      return new PeekStream(socket, socket.getInputStream());
    } catch (IOException e) {
      throw new JedisConnectionException(e.getMessage(), e);
    }
  }

  /** Once: Jedis would connect anew by itself, to a server that nobody has looked at. */
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

  /** The server's run id, or nothing if it does not tell. */
  byte[] runId() {
    return runId;
  }

  void runId(String id) {
    runId = id.getBytes(StandardCharsets.US_ASCII);
  }

  /** From now on answers must come by then. */
  void deadline(Deadline by) {
    deadline = by;
  }

  Deadline deadline() {
    return deadline;
  }

  /** Puts what is in the buffer on the wire. */
  void push() {
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

  /** The next reply; an error of the server is returned, not thrown. */
  @SuppressWarnings("deprecation") // The other read wants to know of RESP3, which is not spoken.
  Object receive() {
    try {
      plug.socket().setSoTimeout(deadline.millisLeft());
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
    return value == null ? Nil.NIL : value;
  }

  /** Whether the server has said that another one is in charge: connect anew. */
  boolean isTurnedAway() {
    return turnedAway;
  }

  /** One command and its answer. */
  Object ask(ProtocolCommand command, String... args) {
    sendCommand(command, args);
    push();
    return receive();
  }

  /** What comes in, for who reads it by itself from now on. */
  InputStream incoming(int timeoutMillis) {
    try {
      Socket socket = plug.socket();
      socket.setSoTimeout(timeoutMillis);
      return socket.getInputStream();
    } catch (IOException e) {
      throw new JedisConnectionException(e.getMessage(), e);
    }
  }

  /** Breaks the connection, whoever is using it: a read that blocks ends. */
  void cut() {
    plug.cut();
  }
}
