package io.holdfast.torture;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A worker's connection to the {@link GuardedResource}. For one thread. */
final class GuardedWriter implements AutoCloseable {
  private final SocketChannel socket;
  private final BufferedReader in;
  private final OutputStream out;

  GuardedWriter(Path path) throws IOException {
    socket = SocketChannel.open(UnixDomainSocketAddress.of(path));
    in = new BufferedReader(new InputStreamReader(Channels.newInputStream(socket), US_ASCII));
    out = Channels.newOutputStream(socket);
  }

  /** Writes with a token; returns whether it was let in. */
  boolean write(String name, boolean exclusive, long token, String holdId) throws IOException {
    String mode = exclusive ? "exclusive" : "shared";
    out.write((name + " " + mode + " " + token + " " + holdId + "\n").getBytes(US_ASCII));
    String reply = in.readLine();
    if (reply == null) {
      throw new EOFException("the guarded resource is closed");
    }
    return reply.equals(GuardedResource.ACCEPTED);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
