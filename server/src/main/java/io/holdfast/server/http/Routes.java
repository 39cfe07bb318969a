package io.holdfast.server.http;

import io.holdfast.server.security.Authentication;
import io.holdfast.server.security.Authenticator;
import io.holdfast.server.security.Caller;
import io.holdfast.server.security.OriginPolicy;
import io.holdfast.server.security.Permit;
import io.holdfast.server.security.Refusal;
import io.holdfast.server.security.ServerTls;
import io.holdfast.server.verbs.Gate;
import io.holdfast.server.verbs.RejectedException;
import io.holdfast.server.verbs.VerbService;
import io.holdfast.spi.support.UriParameters;
import io.holdfast.spi.wire.Wire;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
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
  private final Authenticator authenticator;
  private final OriginPolicy origins;
  private final Gate gate;
  private final VerbsHandler batches;
  private final LocksHandler locks;
  private final OperatorHandler operators;
  private volatile boolean isStopping;

  Routes(
      VerbService verbs,
      Connections connections,
      ServerWebSocketContainer sockets,
      LocksHandler locks,
      OperatorHandler operators,
      Authenticator authenticator) {
    super(Invocable.InvocationType.NON_BLOCKING);
    this.verbs = verbs;
    this.connections = connections;
    this.sockets = sockets;
    this.authenticator = authenticator;
    this.origins = new OriginPolicy(!authenticator.isRequired());
    this.gate = verbs.gate();
    this.locks = locks;
    this.operators = operators;
    this.batches = new VerbsHandler(verbs);
  }

  /** From now on requests are turned away. */
  void stopServing() {
    isStopping = true;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    AtomicBoolean isReplied = new AtomicBoolean();
    Exchange anybody =
        new Exchange(
            request, response, callback, Caller.NOBODY, gate.maxBody(), epoch(request), isReplied);
    anybody.guarded(() -> route(anybody.from(caller(request))));
    return true;
  }

  /**
   * Returns who sent a request.
   *
   * @throws RejectedException when it is not known, or a foreign web page
   */
  private Caller caller(Request request) throws RejectedException {
    String from = Request.getRemoteAddr(request);
    HttpFields headers = request.getHeaders();
    Optional<Refusal> foreign =
        origins.check(
            headers.getValuesList(HttpHeader.HOST), headers.getValuesList(HttpHeader.ORIGIN));
    if (foreign.isPresent()) {
      throw gate.unknown(from, foreign.get());
    }
    Authentication found =
        authenticator.authenticate(
            headers.getValuesList(HttpHeader.AUTHORIZATION), ServerTls.subject(request));
    if (found instanceof Authentication.Rejected rejected) {
      throw gate.unknown(from, rejected.refusal());
    }
    return new Caller(((Authentication.Accepted) found).identity(), from);
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

  private void route(Exchange exchange) throws ProblemException, RejectedException {
    Request request = exchange.request();
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
      case "/v1/audit" -> {
        requireMethod(request, "GET");
        operators.audit(exchange);
      }
      case "/v1/store" -> {
        requireMethod(request, "GET");
        operators.store(exchange);
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

  private void connect(Exchange exchange) throws ProblemException, RejectedException {
    Request request = exchange.request();
    requireMethod(request, "GET");
    Permit room = gate.connection(exchange.caller());
    boolean isUpgraded = false;
    try {
      isUpgraded =
          sockets.upgrade(
              (upgrade, response, callback) -> socket(upgrade, response, exchange, room),
              request,
              exchange.response(),
              exchange.callback());
    } finally {
      if (!isUpgraded) {
        room.close();
      }
    }
    if (!isUpgraded) {
      throw new ProblemException(
          Problem.malformed(Wire.PATH + " is a WebSocket of the subprotocol " + Wire.SUBPROTOCOL));
    }
  }

  private @Nullable ConnectSocket socket(
      ServerUpgradeRequest upgrade,
      ServerUpgradeResponse response,
      Exchange exchange,
      Permit room) {
    if (upgrade.hasSubProtocol(Wire.SUBPROTOCOL)) {
      response.setAcceptedSubProtocol(Wire.SUBPROTOCOL);
      return new ConnectSocket(verbs, connections, exchange.caller().on(room));
    }
    room.close();
    exchange.fail(Problem.malformed("the WebSocket must ask for " + Wire.SUBPROTOCOL));
    return null;
  }
}
