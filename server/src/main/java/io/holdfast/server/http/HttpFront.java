package io.holdfast.server.http;

import io.holdfast.World;
import io.holdfast.server.audit.AuditReader;
import io.holdfast.server.security.Authenticator;
import io.holdfast.server.security.SealedTickets;
import io.holdfast.server.security.ServerTls;
import io.holdfast.server.verbs.Pauses;
import io.holdfast.server.verbs.VerbService;
import io.holdfast.spi.wire.Hello;
import io.holdfast.spi.wire.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/** The HTTP server. */
public final class HttpFront {

  private static final int MOST_THREADS = 32;
  private static final int LEAST_THREADS = 4;
  private static final int MOST_QUERIES = 16;
  private static final int QUEUED_QUERIES = 1_000;
  private static final int ACCEPT_QUEUE = 4_096;
  private static final long LOOK_NANOS = 10_000_000L;

  private final Server server;
  private final ServerConnector connector;
  private final Connections connections;
  private final GracefulHandler requests;
  private final Routes routes;
  private final ThreadPoolExecutor queries;

  /**
   * Creates it; {@link #start} listens.
   *
   * @param authenticator tells who clients are
   * @param hello what remote engines are told first
   * @param seal the tickets of other clients
   * @param audit read for operators
   * @param condition of the store and the server, for operators
   */
  public HttpFront(
      InetSocketAddress address,
      Optional<ServerTls> tls,
      VerbService verbs,
      Authenticator authenticator,
      Supplier<Hello> hello,
      SealedTickets seal,
      Optional<AuditReader> audit,
      Supplier<Map<String, Object>> condition,
      World world) {
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, LEAST_THREADS);
    threads.setName("holdfast-http");
    threads.setDaemon(true);
    this.server = new Server(threads);
    this.connector = new ServerConnector(server, 1, 1, protocols(tls));
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setAcceptQueueSize(ACCEPT_QUEUE);
    connector.setIdleTimeout(Connections.SILENCE.toMillis());
    server.addConnector(connector);
    this.queries =
        new ThreadPoolExecutor(
            MOST_QUERIES,
            MOST_QUERIES,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUED_QUERIES),
            HttpFront::daemon);
    queries.allowCoreThreadTimeOut(true);
    this.connections = new Connections(hello, queries, world);
    ContextHandler context = new ContextHandler("/");
    ServerWebSocketContainer sockets = ServerWebSocketContainer.ensure(server, context);
    sockets.setIdleTimeout(Connections.SILENCE);
    sockets.setMaxBinaryMessageSize(Wire.LONGEST_REQUEST);
    sockets.setMaxTextMessageSize(1);
    this.routes =
        new Routes(
            verbs,
            connections,
            sockets,
            new LocksHandler(verbs, seal, world),
            new OperatorHandler(verbs.gate(), audit, condition, queries),
            authenticator);
    context.setHandler(routes);
    this.requests = new GracefulHandler(context);
    server.setHandler(requests);
    server.setErrorHandler(new ProblemPages());
  }

  private static ConnectionFactory[] protocols(Optional<ServerTls> tls) {
    HttpConfiguration config = config();
    HttpConnectionFactory http = new HttpConnectionFactory(config);
    if (tls.isEmpty()) {
      return new ConnectionFactory[] {http};
    }
    config.addCustomizer(ServerTls.customizer());
    return new ConnectionFactory[] {tls.get().connectionFactory(http.getProtocol()), http};
  }

  private static HttpConfiguration config() {
    HttpConfiguration config = new HttpConfiguration();
    config.setSendServerVersion(false);
    config.setSendDateHeader(false);
    // Names of locks may have encoded slashes and percent signs.
    config.setUriCompliance(
        UriCompliance.DEFAULT.with(
            "holdfast",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
            UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT));
    return config;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "holdfast-query");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Listens.
   *
   * @throws IOException when the port cannot be had
   */
  public void start() throws IOException {
    try {
      server.start();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the HTTP server did not start: " + e.getMessage(), e);
    }
  }

  /** Returns the port. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Sends replies that wait for others. To be called every {@link Pauses} beat. */
  public void flush() {
    connections.flush();
  }

  /** Runs a task that may block, unless there are too many. */
  public void run(Runnable task) {
    queries.execute(task);
  }

  /** Returns how many remote engines' lanes are connected. */
  public int connections() {
    return connections.count();
  }

  private boolean isBusy() {
    return connections.count() > 0 || requests.getCurrentRequestCount() > 0;
  }

  /**
   * Stops listening, lets what is in progress end, and closes all connections.
   *
   * @param grace how long to wait for what is in progress
   */
  public void stop(Duration grace) {
    connector.close();
    routes.stopServing();
    connections.closeAfterReplies();
    long end = System.nanoTime() + grace.toNanos();
    // Requests that wait for a lock end with their next attempt.
    while (isBusy() && System.nanoTime() < end) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    queries.shutdown();
    try {
      server.stop();
    } catch (Exception e) {
      System.getLogger("io.holdfast.server")
          .log(System.Logger.Level.WARNING, "the HTTP server did not stop as it should", e);
    }
  }
}
