package io.holdfast.torture;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.FenceGuard;
import io.holdfast.StaleTokenException;
import io.holdfast.memory.MemoryFenceGuard;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the locks protect: one register per name, behind Holdfast's own guard. It lives in this
 * process. Workers write over a socket in the file system, which no fault of the network reaches,
 * so a writer that was stopped or cut off meets nobody but the guard.
 *
 * <p>Every write that the guard accepted is checked a second time: a token below one that was
 * written before is a stale write.
 */
final class GuardedResource implements AutoCloseable {
  static final String ACCEPTED = "accepted";
  static final String STALE = "stale";

  /** What the kernel allows, and a byte for the end. */
  private static final int LONGEST_PATH = 107;

  private record Writer(long token, String holdId) {}

  private final ServerSocketChannel socket;
  private final FenceGuard guard = new MemoryFenceGuard();
  private final boolean guarded;
  private final Map<String, Writer> lastExclusive = new HashMap<>();
  private final List<String> staleAccepted = new ArrayList<>();
  private long accepted;
  private long refused;
  private long acceptedStale;

  /**
   * Listens.
   *
   * @param guarded whether there is a guard; without one the check must find stale writes
   */
  GuardedResource(Path path, boolean guarded) throws IOException {
    if (path.toString().length() > LONGEST_PATH) {
      throw new IllegalStateException(
          "the temporary folder has too long a name for a socket in it: " + path);
    }
    this.guarded = guarded;
    this.socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    socket.bind(UnixDomainSocketAddress.of(path));
    Thread acceptor = new Thread(this::accept, "guarded-resource");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  private void accept() {
    while (socket.isOpen()) {
      try {
        SocketChannel client = socket.accept();
        Thread server = new Thread(() -> serve(client), "guarded-resource-client");
        server.setDaemon(true);
        server.start();
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(SocketChannel client) {
    try (client;
        BufferedReader in =
            new BufferedReader(new InputStreamReader(Channels.newInputStream(client), US_ASCII));
        OutputStream out = Channels.newOutputStream(client)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", -1);
        boolean exclusive = words[1].equals("exclusive");
        boolean let = write(words[0], exclusive, Long.parseLong(words[2]), words[3]);
        out.write(((let ? ACCEPTED : STALE) + "\n").getBytes(US_ASCII));
      }
    } catch (IOException e) {
      // The worker has died; what it had sent whole was written.
    }
  }

  /** One write; returns whether it was let in. */
  synchronized boolean write(String name, boolean exclusive, long token, String holdId) {
    if (guarded) {
      try {
        if (exclusive) {
          guard.claim(name, token, holdId);
        } else {
          guard.admit(name, token, holdId);
        }
      } catch (StaleTokenException e) {
        refused++;
        return false;
      }
    }
    accepted++;
    Writer last = lastExclusive.get(name);
    if (last != null && isStale(token, holdId, last)) {
      acceptedStale++;
      if (staleAccepted.size() < Report.QUOTED) {
        staleAccepted.add(name + ": token " + token + " was written after " + last.token);
      }
    } else if (exclusive) {
      lastExclusive.put(name, new Writer(token, holdId));
    }
    return true;
  }

  private static boolean isStale(long token, String holdId, Writer last) {
    if (token == last.token) {
      return !holdId.equals(last.holdId);
    }
    return token < last.token;
  }

  synchronized long accepted() {
    return accepted;
  }

  synchronized long refused() {
    return refused;
  }

  synchronized long acceptedStale() {
    return acceptedStale;
  }

  /** Some of the stale writes that were let in. */
  synchronized List<String> staleAccepted() {
    return List.copyOf(staleAccepted);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
