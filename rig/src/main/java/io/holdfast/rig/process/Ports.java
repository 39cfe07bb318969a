package io.holdfast.rig.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports on the loopback interface.
 *
 * <p>They lie below the range from which the kernel takes the local ports of outgoing connections.
 * From inside that range, a client that keeps reconnecting to a killed server can take the server's
 * port, and can even connect to itself.
 */
public final class Ports {
  private static final int LOWEST = 10_000;
  private static final int USUAL_END = 32_768;
  private static final int TRIES = 1_000;
  private static final Path OUTGOING_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final Set<Integer> GIVEN_OUT = ConcurrentHashMap.newKeySet();

  private Ports() {}

  /** Returns a free port that this JVM has not used before. */
  public static int free() {
    int end = startOfOutgoingRange();
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, end);
      if (GIVEN_OUT.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port in " + LOWEST + ".." + (end - 1));
  }

  /** The loopback address with this port. */
  public static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Whether a server could listen on this loopback port now. */
  public static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(loopback(port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int startOfOutgoingRange() {
    if (!Files.isReadable(OUTGOING_RANGE)) {
      return USUAL_END;
    }
    try (Scanner range = new Scanner(OUTGOING_RANGE, StandardCharsets.US_ASCII)) {
      int start = range.nextInt();
      // A machine that gives nearly all ports to outgoing connections leaves us no better choice.
      return start > LOWEST + TRIES ? start : USUAL_END;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
