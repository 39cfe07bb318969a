package io.holdfast.remote.connection;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.StoreUri.Server;
import io.holdfast.spi.wire.Hello;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a lock service, and the one that this client uses now.
 *
 * <p>A client begins with any of them and stays until that server does not reply. Nothing that was
 * sent to one server is sent again to another here: the runtime repeats a verb with the same ticket
 * if it wants to.
 */
public final class Servers {

  private final List<Server> servers;
  private final TlsSockets tls;
  private final ServiceToken token;
  private final String store;
  private final Duration timeout;
  private final AtomicInteger current;
  private final AtomicLong changes = new AtomicLong();
  private volatile @Nullable Hello hello;

  /**
   * Creates the list; connects to none.
   *
   * @param token is read for each connection
   * @param store the address for messages
   * @param timeout the operation timeout
   */
  public Servers(
      List<Server> servers, TlsSockets tls, ServiceToken token, String store, Duration timeout) {
    this.servers = servers;
    this.tls = tls;
    this.token = token;
    this.store = store;
    this.timeout = timeout;
    this.current = new AtomicInteger(ThreadLocalRandom.current().nextInt(servers.size()));
  }

  /** Returns the address for messages, without secrets. */
  public String store() {
    return store;
  }

  /** Returns the operation timeout. */
  public Duration timeout() {
    return timeout;
  }

  /** Returns how often this client went to another server. */
  public long changes() {
    return changes.get();
  }

  /** Returns what the last server said of itself, or null if none has replied yet. */
  public @Nullable Hello hello() {
    return hello;
  }

  private Server server() {
    return servers.get(Math.floorMod(current.get(), servers.size()));
  }

  /**
   * Goes to the next server, unless this client has left this one already. Called when a server
   * could not be reached, and also when it did not reply: one that is stopped or cut off still
   * accepts connections.
   */
  public void avoid(Server bad) {
    int at = current.get();
    if (servers.size() > 1
        && servers.get(Math.floorMod(at, servers.size())).equals(bad)
        && current.compareAndSet(at, at + 1)) {
      changes.incrementAndGet();
    }
  }

  /**
   * Connects to the present server or, if it cannot be reached, to the others in turn. Ends within
   * the operation timeout.
   *
   * @throws EngineException.NotDone when none can be reached
   */
  public ServerConnection connect(ServerConnection.Listener listener) throws EngineException {
    // A fifth of the time is left for the verb that the connection is made for.
    Duration each = timeout.multipliedBy(4).dividedBy(5L * servers.size());
    IOException last = null;
    for (int i = 0; i < servers.size(); i++) {
      Server server = server();
      try {
        ServerConnection opened = ServerConnection.open(server, tls, token, each, listener);
        hello = opened.hello();
        return opened;
      } catch (IOException e) {
        last = e;
        avoid(server);
      }
    }
    throw new EngineException.NotDone("no connection to " + store + ": " + cause(last), last);
  }

  private static String cause(@Nullable IOException e) {
    String message = e == null ? null : e.getMessage();
    return message == null ? String.valueOf(e) : message;
  }
}
