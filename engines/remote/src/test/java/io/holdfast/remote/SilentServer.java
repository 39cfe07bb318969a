package io.holdfast.remote;

import io.holdfast.spi.wire.Hello;
import io.holdfast.spi.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server that accepts connections and says hello, and then never replies: as one that hangs. */
final class SilentServer implements AutoCloseable {

  private static final Pattern KEY = Pattern.compile("Sec-WebSocket-Key: (\\S+)");

  private final ServerSocket listener;
  private final AtomicInteger messages = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();

  SilentServer() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** How many messages of verbs it has received. */
  int messages() {
    return messages.get();
  }

  int connections() {
    return connections.get();
  }

  private static void start(Runnable body) {
    Thread thread = new Thread(body, "silent-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        start(() -> serve(client));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void serve(Socket client) {
    try (client) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      OutputStream out = client.getOutputStream();
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
        head.write(in.readByte());
      }
      Matcher key = KEY.matcher(head.toString(StandardCharsets.US_ASCII));
      if (!key.find()) {
        return;
      }
      byte[] digest =
          MessageDigest.getInstance("SHA-1")
              .digest(
                  (key.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                      .getBytes(StandardCharsets.US_ASCII));
      out.write(
          ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade"
                  + "\r\nSec-WebSocket-Protocol: "
                  + Wire.SUBPROTOCOL
                  + "\r\nSec-WebSocket-Accept: "
                  + Base64.getEncoder().encodeToString(digest)
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      byte[] hello =
          new Hello("silent:", Set.of(), Duration.ZERO, true, Hello.Counting.SAFE, List.of())
              .toMessage()
              .toBytes();
      out.write(0x82);
      out.write(hello.length);
      out.write(hello);
      connections.incrementAndGet();
      while (true) {
        boolean isMessage = in.readUnsignedByte() == 0x82;
        int length = in.readUnsignedByte() & 0x7F;
        in.skipNBytes(4 + (length == 126 ? in.readUnsignedShort() : length));
        if (isMessage) {
          messages.incrementAndGet();
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      // The client has gone.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
