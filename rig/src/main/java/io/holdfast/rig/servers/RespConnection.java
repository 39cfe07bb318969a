package io.holdfast.rig.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.StringJoiner;

/**
 * A raw connection to a Redis server, for commands that need the same connection. Such are WAIT
 * after a write, SUBSCRIBE and ASKING.
 *
 * <p>Replies are text: strings and numbers as they are, the items of an array one a line, {@code
 * (nil)} for nothing. For one thread; only close may come from another one.
 */
public final class RespConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  private RespConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /** Connects and logs in; the timeout is for the connect and for every read. */
  static RespConnection open(InetSocketAddress server, Duration timeout, RedisAccess access)
      throws IOException {
    Socket socket = access.connect(server, timeout);
    try {
      RespConnection connection = new RespConnection(socket);
      if (access.password().isPresent()) {
        connection.call("AUTH", access.password().get());
      }
      return connection;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sends one command and returns its reply.
   *
   * @throws IOException when there is no reply in time, or the reply is an error
   */
  public String call(String... command) throws IOException {
    send(command);
    return next();
  }

  /** Sends one command and does not wait for its reply. */
  public void send(String... command) throws IOException {
    socket.getOutputStream().write(encode(command));
  }

  /** The next reply or message that comes; otherwise as {@link #call}. */
  public String next() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+', ':' -> rest;
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> items(Integer.parseInt(rest));
      case '-' -> throw new IOException("the server replied: " + rest);
      default -> throw new IOException("not a reply of Redis: " + line);
    };
  }

  /** How long reads may take from now on; zero is for ever. */
  void setTimeout(Duration timeout) throws IOException {
    socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
  }

  /** Ends the connection, and a read under way; idempotent. */
  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static byte[] encode(String... command) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ascii("*" + command.length + "\r\n"));
    for (String word : command) {
      byte[] text = word.getBytes(StandardCharsets.UTF_8);
      bytes.writeBytes(ascii("$" + text.length + "\r\n"));
      bytes.writeBytes(text);
      bytes.writeBytes(ascii("\r\n"));
    }
    return bytes.toByteArray();
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "(nil)";
    }
    byte[] text = in.readNBytes(length);
    if (text.length < length || in.readNBytes(2).length < 2) {
      throw new EOFException("the reply was cut short");
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  private String items(int count) throws IOException {
    StringJoiner items = new StringJoiner("\n");
    for (int i = 0; i < count; i++) {
      items.add(next());
    }
    return count < 0 ? "(nil)" : items.toString();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    while (next != '\r') {
      if (next < 0) {
        throw new EOFException("no whole reply");
      }
      line.write(next);
      next = in.read();
    }
    in.skipNBytes(1);
    if (line.size() == 0) {
      throw new IOException("an empty line instead of a reply");
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
