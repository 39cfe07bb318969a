package io.holdfast.rig;

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

/** One command to a Redis server and its reply, over a connection of its own. */
final class RespExchange {
  private RespExchange() {}

  /**
   * Answers the reply as text: strings and numbers as they are, the items of an array one a line,
   * {@code (nil)} for nothing.
   *
   * @param timeout for the connect and for every read
   * @throws IOException also when the server answers with an error
   */
  static String call(InetSocketAddress server, Duration timeout, String... command)
      throws IOException {
    int millis = Math.toIntExact(timeout.toMillis());
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(millis);
      socket.connect(server, millis);
      socket.getOutputStream().write(encode(command));
      return reply(new BufferedInputStream(socket.getInputStream()));
    }
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

  private static String reply(InputStream in) throws IOException {
    String line = line(in);
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+', ':' -> rest;
      case '$' -> bulk(in, Integer.parseInt(rest));
      case '*' -> items(in, Integer.parseInt(rest));
      case '-' -> throw new IOException("the server answered: " + rest);
      default -> throw new IOException("not a reply of Redis: " + line);
    };
  }

  private static String bulk(InputStream in, int length) throws IOException {
    if (length < 0) {
      return "(nil)";
    }
    byte[] text = in.readNBytes(length);
    if (text.length < length || in.readNBytes(2).length < 2) {
      throw new EOFException("the reply was cut short");
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  private static String items(InputStream in, int count) throws IOException {
    StringJoiner items = new StringJoiner("\n");
    for (int i = 0; i < count; i++) {
      items.add(reply(in));
    }
    return count < 0 ? "(nil)" : items.toString();
  }

  private static String line(InputStream in) throws IOException {
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
