package io.holdfast.redis.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** What a socket receives, which can be waited for without losing a byte of it. */
final class PeekStream extends FilterInputStream {

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

  /** Returns whether something is there to be read, or the connection has ended, by then. */
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
