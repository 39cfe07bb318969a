package io.holdfast.rig.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** One connection to an {@link EchoServer}, and what it can see of it. */
final class ProxyClient implements AutoCloseable {
  private static final int BOUND_MILLIS = 5_000;
  private static final int SILENCE_MILLIS = 60;

  private final Socket socket = new Socket();

  ProxyClient(InetSocketAddress address) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(BOUND_MILLIS);
    socket.connect(address);
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.US_ASCII));
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  String read(int count) throws IOException {
    return new String(socket.getInputStream().readNBytes(count), StandardCharsets.US_ASCII);
  }

  byte[] readToEnd() throws IOException {
    return socket.getInputStream().readAllBytes();
  }

  void assertEcho(String text) throws IOException {
    send(text);
    assertThat(read(text.length())).isEqualTo(text);
  }

  void assertEnd() throws IOException {
    assertThat(socket.getInputStream().read()).isEqualTo(-1);
  }

  void assertSilent() throws IOException {
    socket.setSoTimeout(SILENCE_MILLIS);
    InputStream in = socket.getInputStream();
    assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(BOUND_MILLIS);
  }

  void assertReset() throws IOException {
    InputStream in = socket.getInputStream();
    assertThatThrownBy(in::read).isInstanceOf(SocketException.class).hasMessageContaining("reset");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
