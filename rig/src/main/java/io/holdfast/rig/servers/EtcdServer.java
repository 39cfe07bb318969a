package io.holdfast.rig.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.rig.process.Program;
import io.holdfast.rig.process.ReadyCheck;
import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.process.ServerSpec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An etcd server of the machine's own {@code etcd}, on free loopback ports. */
public final class EtcdServer implements AutoCloseable {

  /** What a client may ask for at least: the shortest lease of a server with these timings. */
  static final List<String> TIMINGS =
      List.of("--heartbeat-interval", "100", "--election-timeout", "1000");

  private static final Program ETCD = Program.of("etcd", "etcd-server");
  private static final Program ETCDCTL = Program.of("etcdctl", "etcd-client");
  private static final Duration CALL = Duration.ofSeconds(5);

  private final ServerProcess process;

  EtcdServer(ServerProcess process) {
    this.process = process;
  }

  /**
   * Starts a cluster of one, and returns when it accepts requests.
   *
   * @param options more of etcd's own
   * @throws IllegalStateException as {@link ServerProcess#start}
   */
  public static EtcdServer start(String... options) {
    return start(spec(options));
  }

  /** Starts a server by a changed {@link #spec}. */
  public static EtcdServer start(ServerSpec spec) {
    return new EtcdServer(ServerProcess.start(spec));
  }

  /** What the start above uses; for another program or other variables. */
  public static ServerSpec spec(String... options) {
    return ServerSpec.of(
        "etcd", place -> alone(place, "http", List.of(options)), EtcdServer::isWell);
  }

  /** As {@link #start}, and clients have to talk TLS. */
  public static EtcdServer startWithTls(TestCertificates certificates) {
    List<String> tls =
        List.of(
            "--cert-file", certificates.serverCertificate().toString(),
            "--key-file", certificates.serverKey().toString());
    return new EtcdServer(
        ServerProcess.start(
            ServerSpec.of(
                "etcd", place -> alone(place, "https", tls), ReadyCheck.acceptsConnections())));
  }

  private static List<String> alone(ServerLocation place, String scheme, List<String> options) {
    String peer = "http://127.0.0.1:" + place.port("peer");
    return command(place, scheme, "m0", "m0=" + peer, options);
  }

  /** The command line of one member. */
  static List<String> command(
      ServerLocation place, String scheme, String name, String cluster, List<String> options) {
    String client = scheme + "://127.0.0.1:" + place.port();
    String peer = "http://127.0.0.1:" + place.port("peer");
    List<String> command = new ArrayList<>(List.of(ETCD.find().toString(), "--name", name));
    command.addAll(List.of("--data-dir", place.folder().resolve("data").toString()));
    command.addAll(List.of("--listen-client-urls", client, "--advertise-client-urls", client));
    command.addAll(List.of("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer));
    command.addAll(List.of("--initial-cluster", cluster, "--initial-cluster-state", "new"));
    command.addAll(List.of("--logger", "zap"));
    command.addAll(TIMINGS);
    command.addAll(options);
    return command;
  }

  static boolean isWell(ServerLocation place, long pid) throws IOException, InterruptedException {
    return get("http://127.0.0.1:" + place.port() + "/health").contains("\"true\"");
  }

  private static String get(String url) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(CALL).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** The process: to kill, pause, stop and start it again. */
  public ServerProcess process() {
    return process;
  }

  /** The port that clients connect to. */
  public int port() {
    return process.port();
  }

  /** The port that other members connect to. */
  public int peerPort() {
    return process.place().port("peer");
  }

  /** The address as clients write it: {@code etcd://127.0.0.1:port}. */
  public String uri() {
    return "etcd://127.0.0.1:" + port();
  }

  /**
   * Posts to the JSON gateway, such as {@code "kv/range"}, and returns the JSON.
   *
   * @throws IllegalStateException when there is no reply
   */
  public String post(String path, String json) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/v3/" + path))
            .timeout(CALL)
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    try {
      return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new IllegalStateException(process + ": " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(process + ": " + path, e);
    }
  }

  /** Whether this member says that it leads. */
  public boolean leads() {
    String status = post("maintenance/status", "{}");
    return number(status, "leader").equals(number(status, "member_id"));
  }

  /** The revision of the store. */
  public long revision() {
    return Long.parseLong(number(post("maintenance/status", "{}"), "revision"));
  }

  /** Forgets all history before now. */
  public void compact() {
    post("kv/compaction", "{\"revision\":\"%d\",\"physical\":true}".formatted(revision()));
  }

  /** A counter of its metrics, such as {@code etcd_server_proposals_applied_total}; 0 if none. */
  public double metric(String name) {
    try {
      return get("http://127.0.0.1:" + port() + "/metrics")
          .lines()
          .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      throw new IllegalStateException(process + ": metrics", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(process + ": metrics", e);
    }
  }

  /** Runs {@code etcdctl} against this server and returns what it prints. */
  public String ctl(String... arguments) {
    List<String> command = new ArrayList<>(List.of(ETCDCTL.find().toString(), "--endpoints"));
    command.add("127.0.0.1:" + port());
    command.addAll(List.of(arguments));
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(Map.of("ETCDCTL_API", "3"));
      Process ctl = builder.start();
      String printed = new String(ctl.getInputStream().readAllBytes(), UTF_8);
      ctl.waitFor();
      return printed;
    } catch (IOException e) {
      throw new IllegalStateException("etcdctl did not run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("etcdctl did not end", e);
    }
  }

  /** All keys that start so, as text. */
  public List<String> keys(String prefix) {
    String from = base64(prefix);
    String to =
        base64(
            prefix.substring(0, prefix.length() - 1)
                + (char) (prefix.charAt(prefix.length() - 1) + 1));
    String found =
        post(
            "kv/range",
            "{\"key\":\"%s\",\"range_end\":\"%s\",\"keys_only\":true}".formatted(from, to));
    List<String> keys = new ArrayList<>();
    Matcher key = Pattern.compile("\"key\":\"([^\"]*)\"").matcher(found);
    while (key.find()) {
      keys.add(new String(Base64.getDecoder().decode(key.group(1)), UTF_8));
    }
    return keys;
  }

  /** Deletes one key, as a hand would. */
  public void delete(String key) {
    post("kv/deleterange", "{\"key\":\"%s\"}".formatted(base64(key)));
  }

  /** Writes a key again with the value and the lease that it has, as a hand might. */
  public void touch(String key) {
    post(
        "kv/put",
        "{\"key\":\"%s\",\"ignore_value\":true,\"ignore_lease\":true}".formatted(base64(key)));
  }

  /** Ends the lease that a key hangs on, and all that hangs on it. */
  public void endLeaseOf(String key) {
    String found = post("kv/range", "{\"key\":\"%s\"}".formatted(base64(key)));
    post("kv/lease/revoke", "{\"ID\":\"%s\"}".formatted(number(found, "lease")));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String number(String json, String field) {
    Matcher found = Pattern.compile("\"" + field + "\":\"?([0-9]+)").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  /** Stops it and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    process.close();
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
