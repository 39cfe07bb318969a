package io.holdfast.remote.connection;

import io.holdfast.spi.support.StoreUri.Server;
import io.holdfast.spi.wire.Wire;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The client's end of a WebSocket (RFC 6455) for binary messages, over a blocking socket.
 *
 * <p>One thread reads; any thread may write or close. The JDK's own client has half the throughput:
 * each message passes through several threads there.
 */
final class WebSocket implements AutoCloseable {

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final SecureRandom RANDOM = new SecureRandom();

  private static final int BUFFER = 16 * 1024;
  private static final int LONGEST_HEAD = 16 * 1024;
  private static final int NONCE_BYTES = 16;
  private static final int MASK_BYTES = 4;
  private static final int MASKS_AT_ONCE = 256;

  private static final int STATUS_BEGIN = "HTTP/1.1 ".length();
  private static final int STATUS_END = STATUS_BEGIN + 3;

  private static final int FINAL = 0x80;
  private static final int RESERVED = 0x70;
  private static final int MASKED = 0x80;
  private static final int CONTINUATION = 0x0;
  private static final int BINARY = 0x2;
  private static final int FIRST_CONTROL = 0x8;
  private static final int CLOSE = 0x8;
  private static final int PING = 0x9;
  private static final int PONG = 0xA;
  private static final int SHORT_LENGTH = 126;
  private static final int LONG_LENGTH = 127;
  private static final int LONGEST_CONTROL = 125;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final ReentrantLock writing = new ReentrantLock();
  private final byte[] masks = new byte[MASKS_AT_ONCE * MASK_BYTES];
  private int masksUsed = masks.length;

  private WebSocket(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
    this.out = socket.getOutputStream();
  }

  /**
   * Connects and asks for the subprotocol {@link Wire#SUBPROTOCOL}.
   *
   * @param authorization the header, a secret
   * @param timeout for all of it
   * @throws RefusedByServerException when the server does not let this client in
   */
  static WebSocket connect(
      Server server, TlsSockets tls, Optional<String> authorization, Duration timeout)
      throws IOException {
    long end = System.nanoTime() + timeout.toNanos();
    Socket plain = new Socket();
    try {
      plain.connect(new InetSocketAddress(server.host(), server.port()), millisTo(end));
      plain.setTcpNoDelay(true);
      plain.setSoTimeout(millisTo(end));
      Socket socket = tls.secured(plain, server);
      WebSocket opened = new WebSocket(socket);
      opened.shakeHands(server, authorization, end);
      return opened;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  private static int millisTo(long end) throws SocketTimeoutException {
    long left = end - System.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException("connecting took too long");
    }
    return (int) Math.max(1, left / 1_000_000L);
  }

  private void shakeHands(Server server, Optional<String> authorization, long end)
      throws IOException {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    String key = Base64.getEncoder().encodeToString(nonce);
    String request =
        "GET "
            + Wire.PATH
            + " HTTP/1.1\r\nHost: "
            + server
            + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
            + "\r\nSec-WebSocket-Protocol: "
            + Wire.SUBPROTOCOL
            + "\r\nSec-WebSocket-Key: "
            + key
            + authorization.map(value -> "\r\nAuthorization: " + value).orElse("")
            + "\r\n\r\n";
    out.write(request.getBytes(StandardCharsets.US_ASCII));
    List<String> head = readHead(end);
    String status = head.get(0);
    if (!status.startsWith("HTTP/1.1 101")) {
      throw refused(server, status, authorization.isPresent());
    }
    Map<String, String> headers = new HashMap<>();
    for (String line : head.subList(1, head.size())) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    }
    boolean isRight =
        "websocket".equalsIgnoreCase(headers.get("upgrade"))
            && acceptOf(key).equals(headers.get("sec-websocket-accept"))
            && Wire.SUBPROTOCOL.equals(headers.get("sec-websocket-protocol"))
            && !headers.containsKey("sec-websocket-extensions");
    if (!isRight) {
      throw new RefusedByServerException(
          server + " is not a lock service: it does not speak " + Wire.SUBPROTOCOL);
    }
  }

  private static RefusedByServerException refused(Server server, String status, boolean hasToken) {
    String code = status.length() < STATUS_END ? "" : status.substring(STATUS_BEGIN, STATUS_END);
    return new RefusedByServerException(
        switch (code) {
          case "401" ->
              server
                  + (hasToken
                      ? " does not know the token of this client (401): renew the one in "
                      : " needs a token (401): put one into ")
                  + ServiceToken.VARIABLE
                  + " or the file of "
                  + ServiceToken.FILE_PARAMETER;
          case "403" -> server + " does not let this client in (403)";
          case "429" -> server + " has too many connections of this client's principal (429)";
          default -> server + " does not speak " + Wire.PATH + ": " + status;
        });
  }

  private static String acceptOf(String key) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      byte[] digest = sha1.digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  private List<String> readHead(long end) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int ending = 0;
    while (ending < 4) {
      if (in.available() == 0) {
        socket.setSoTimeout(millisTo(end));
      }
      int c = in.read();
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      head.write(c);
      if (head.size() > LONGEST_HEAD) {
        throw new IOException("the server's reply has no end");
      }
      boolean isNext = c == (ending % 2 == 0 ? '\r' : '\n');
      ending = isNext ? ending + 1 : c == '\r' ? 1 : 0;
    }
    return List.of(head.toString(StandardCharsets.US_ASCII).split("\r\n"));
  }

  /**
   * Waits for the next message.
   *
   * @param silence how long the server may send nothing at all, not even a ping
   */
  ByteBuffer read(Duration silence) throws IOException {
    socket.setSoTimeout((int) silence.toMillis());
    byte[] message = new byte[0];
    boolean isBegun = false;
    while (true) {
      int first = in.readUnsignedByte();
      if ((first & RESERVED) != 0) {
        throw new IOException("the server sent a frame with unknown bits");
      }
      int kind = first & 0xF;
      byte[] payload = readPayload(message.length, kind);
      if (kind >= FIRST_CONTROL) {
        control(kind, payload);
        continue;
      }
      if (kind != (isBegun ? CONTINUATION : BINARY)) {
        throw new IOException("the server sent an unexpected frame: " + kind);
      }
      message = isBegun ? concat(message, payload) : payload;
      isBegun = true;
      if ((first & FINAL) != 0) {
        return ByteBuffer.wrap(message);
      }
    }
  }

  private byte[] readPayload(int before, int kind) throws IOException {
    int second = in.readUnsignedByte();
    if ((second & MASKED) != 0) {
      throw new IOException("the server sent a masked frame");
    }
    long length = second;
    if (second == SHORT_LENGTH) {
      length = in.readUnsignedShort();
    } else if (second == LONG_LENGTH) {
      length = in.readLong();
    }
    long most = kind >= FIRST_CONTROL ? LONGEST_CONTROL : Wire.LONGEST_REPLY - before;
    if (length < 0 || length > most) {
      throw new IOException("the server sent a frame that is too long: " + length);
    }
    byte[] payload = in.readNBytes((int) length);
    if (payload.length < length) {
      throw new EOFException("the server closed the connection");
    }
    return payload;
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private void control(int kind, byte[] payload) throws IOException {
    if (kind == PING) {
      write(PONG, ByteBuffer.wrap(payload));
    } else if (kind == CLOSE) {
      write(CLOSE, ByteBuffer.wrap(payload, 0, Math.min(payload.length, Short.BYTES)));
      throw new EOFException("the server closed the connection" + reason(payload));
    }
  }

  private static String reason(byte[] payload) {
    return payload.length <= Short.BYTES
        ? ""
        : ": "
            + new String(payload, Short.BYTES, payload.length - Short.BYTES, StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", "?");
  }

  /** Sends a message. */
  void write(ByteBuffer message) throws IOException {
    write(BINARY, message);
  }

  private void write(int kind, ByteBuffer payload) throws IOException {
    int length = payload.remaining();
    writing.lock();
    try {
      ByteBuffer frame = ByteBuffer.allocate(length + 14);
      frame.put((byte) (FINAL | kind));
      if (length < SHORT_LENGTH) {
        frame.put((byte) (MASKED | length));
      } else if (length <= 0xFFFF) {
        frame.put((byte) (MASKED | SHORT_LENGTH)).putShort((short) length);
      } else {
        frame.put((byte) (MASKED | LONG_LENGTH)).putLong(length);
      }
      int mask = nextMask();
      frame.put(masks, mask, MASK_BYTES);
      for (int i = 0; i < length; i++) {
        frame.put((byte) (payload.get(payload.position() + i) ^ masks[mask + i % MASK_BYTES]));
      }
      out.write(frame.array(), 0, frame.position());
    } finally {
      writing.unlock();
    }
  }

  /** The position of four bytes that cannot be guessed, as the RFC demands. */
  private int nextMask() {
    if (masksUsed == masks.length) {
      RANDOM.nextBytes(masks);
      masksUsed = 0;
    }
    masksUsed += MASK_BYTES;
    return masksUsed - MASK_BYTES;
  }

  /** Closes the connection at once; a reader gets an exception. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed as far as this client is concerned.
    }
  }
}
