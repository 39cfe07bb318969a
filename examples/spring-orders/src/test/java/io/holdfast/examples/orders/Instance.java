package io.holdfast.examples.orders;

import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.clients.JvmSpec;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.servers.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One instance of the application in a JVM of its own, and a client of it. */
final class Instance implements AutoCloseable {

  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final int port;
  private final ClientJvm jvm;

  private Instance(int port, ClientJvm jvm) {
    this.port = port;
    this.jvm = jvm;
  }

  /** Starts one with its own properties, and these; returns while it is starting. */
  static Instance start(PostgresServer postgres, String... more) {
    int port = Ports.free();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--spring.datasource.url=" + postgres.jdbcUri(PostgresServer.DATABASE),
                "--spring.datasource.username=" + postgres.user(),
                "--spring.main.banner-mode=off"));
    arguments.addAll(List.of(more));
    JvmSpec spec =
        JvmSpec.of("orders-" + port, OrdersApplication.class, arguments.toArray(String[]::new));
    return new Instance(port, ClientJvm.start(spec.withHeapMegabytes(256)));
  }

  /** Returns when it serves requests. */
  Instance awaitStarted() {
    jvm.awaitLine("Started OrdersApplication", BOUND);
    return this;
  }

  /** What the instance calls itself. */
  String name() {
    return "orders-" + port;
  }

  long pid() {
    return jvm.pid();
  }

  boolean isRunning() {
    return jvm.isRunning();
  }

  void kill9() {
    jvm.kill9();
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path);
  }

  HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(BOUND)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    jvm.close();
  }
}
