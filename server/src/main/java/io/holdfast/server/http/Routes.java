package io.holdfast.server.http;

import io.holdfast.server.security.Access;
import io.holdfast.server.verbs.VerbService;
import io.holdfast.spi.support.UriParameters;
import io.holdfast.spi.wire.Wire;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.websocket.server.ServerUpgradeRequest;
import org.eclipse.jetty.websocket.server.ServerUpgradeResponse;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/** Finds the handler of a request. */
final class Routes extends Handler.Abstract {

  private static final String LOCKS = "/v1/locks/";
  private static final String ACQUIRE = "/acquire";
  private static final String EPOCH = Routes.class.getName() + ".epoch";

  private final VerbService verbs;
  private final Connections connections;
  private final ServerWebSocketContainer sockets;
  private final Access access;
  private final VerbsHandler batches;
  private final LocksHandler locks;
  private volatile boolean isStopping;

  Routes(
      VerbService verbs,
      Connections connections,
      ServerWebSocketContainer sockets,
      LocksHandler locks,
      Access access) {
    super(Invocable.InvocationType.NON_BLOCKING);
    this.verbs = verbs;
    this.connections = connections;
    this.sockets = sockets;
    this.access = access;
    this.locks = locks;
    this.batches = new VerbsHandler(verbs);
  }

  /** From now on requests are turned away. */
  void stopServing() {
    isStopping = true;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange =
        new Exchange(request, response, callback, access, epoch(request), new AtomicBoolean());
    exchange.guarded(() -> route(exchange));
    return true;
  }

  /** The epoch in which the connection began: all its requests have it. */
  private long epoch(Request request) {
    ConnectionMetaData connection = request.getConnectionMetaData();
    if (connection.getAttribute(EPOCH) instanceof Long known) {
      return known;
    }
    long epoch = verbs.pauses().epochOfNewConnection();
    connection.setAttribute(EPOCH, epoch);
    return epoch;
  }

  private void route(Exchange exchange) throws ProblemException {
    Request request = exchange.request();
    requireOwnPage(request);
    if (isStopping) {
      throw new ProblemException(Problem.stopping());
    }
    if (!verbs.pauses().isCurrent(exchange.epoch())) {
      // The next request needs a new connection to be executed.
      exchange.response().getHeaders().put(HttpHeader.CONNECTION, "close");
    }
    String path = String.valueOf(request.getHttpURI().getPath());
    switch (path) {
      case Wire.PATH -> connect(exchange);
      case "/v1/verbs" -> {
        requireMethod(request, "POST");
        batches.handle(exchange);
      }
      case "/v1/tickets/renew" -> {
        requireMethod(request, "POST");
        locks.renew(exchange);
      }
      case "/v1/tickets/release" -> {
        requireMethod(request, "POST");
        locks.release(exchange);
      }
      default -> {
        String name = nameToAcquire(path);
        requireMethod(request, "POST");
        locks.acquire(exchange, name);
      }
    }
  }

  /** A name may have slashes, as they are or as %2F. */
  private static String nameToAcquire(String path) throws ProblemException {
    int end = path.length() - ACQUIRE.length();
    if (!path.startsWith(LOCKS) || !path.endsWith(ACQUIRE) || end <= LOCKS.length()) {
      throw new ProblemException(Problem.notFound(path));
    }
    try {
      return UriParameters.decode("name", path.substring(LOCKS.length(), end));
    } catch (IllegalArgumentException e) {
      throw new ProblemException(Problem.malformed(String.valueOf(e.getMessage())));
    }
  }

  private static void requireMethod(Request request, String method) throws ProblemException {
    if (!request.getMethod().equals(method)) {
      throw new ProblemException(Problem.wrongMethod(method));
    }
  }

  /**
   * A page of another site must not use the locks of this machine: browsers let it send requests to
   * loopback addresses, and a name that it controls may resolve to one.
   */
  private static void requireOwnPage(Request request) throws ProblemException {
    HttpURI uri = request.getHttpURI();
    String host = uri.getHost() == null ? "" : uri.getHost();
    if (!isLoopback(host)) {
      throw new ProblemException(
          Problem.denied("the Host header must be localhost or a loopback address"));
    }
    String origin = request.getHeaders().get(HttpHeader.ORIGIN);
    if (origin != null && !origin.equals(uri.getScheme() + "://" + uri.getAuthority())) {
      throw new ProblemException(Problem.denied("pages of other origins may not use this server"));
    }
  }

  private static boolean isLoopback(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    if (name.equals("localhost")) {
      return true;
    }
    boolean isAddress = name.startsWith("[") || name.matches("[0-9.]+");
    try {
      return isAddress && InetAddress.getByName(name).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private void connect(Exchange exchange) throws ProblemException {
    Request request = exchange.request();
    requireMethod(request, "GET");
    boolean isUpgraded =
        sockets.upgrade(
            (upgrade, response, callback) -> socket(upgrade, response, exchange),
            request,
            exchange.response(),
            exchange.callback());
    if (!isUpgraded) {
      throw new ProblemException(
          Problem.malformed(Wire.PATH + " is a WebSocket of the subprotocol " + Wire.SUBPROTOCOL));
    }
  }

  private @Nullable ConnectSocket socket(
      ServerUpgradeRequest upgrade, ServerUpgradeResponse response, Exchange exchange) {
    if (upgrade.hasSubProtocol(Wire.SUBPROTOCOL)) {
      response.setAcceptedSubProtocol(Wire.SUBPROTOCOL);
      return new ConnectSocket(verbs, connections, exchange.access());
    }
    exchange.fail(Problem.malformed("the WebSocket must ask for " + Wire.SUBPROTOCOL));
    return null;
  }
}
