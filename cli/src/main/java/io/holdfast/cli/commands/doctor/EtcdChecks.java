package io.holdfast.cli.commands.doctor;

import io.holdfast.etcd.EtcdOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** Checks the members of an etcd cluster over HTTP. */
final class EtcdChecks {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Checkup rounds;
  private final String scheme;
  private final HttpClient http;

  private EtcdChecks(Checkup rounds, Optional<SSLContext> tls) {
    this.rounds = rounds;
    this.scheme = tls.isPresent() ? "https" : "http";
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
    tls.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  static void look(Checkup rounds, String uri) {
    EtcdOptions options = EtcdOptions.of(uri);
    try {
      Optional<SSLContext> tls =
          options.tls().isEmpty() ? Optional.empty() : Optional.of(context(options.tls().get()));
      EtcdChecks checks = new EtcdChecks(rounds, tls);
      options.servers().forEach(checks::look);
      checks.lookAtCluster(options.servers().get(0));
      ClockCheck.ofLeader(rounds);
    } catch (IOException e) {
      rounds.say(Finding.bad("tls", String.valueOf(e.getMessage()), "fix the address"));
    }
  }

  private static SSLContext context(EtcdOptions.Tls tls) throws IOException {
    return TlsSettings.of(
        tls.trustStore().map(file -> new TlsSettings.KeyFile(file, tls.trustStorePassword())),
        tls.keyStore().map(file -> new TlsSettings.KeyFile(file, tls.keyStorePassword())));
  }

  private void look(InetSocketAddress server) {
    String where = server.getHostString() + ":" + server.getPort();
    try {
      long start = System.nanoTime();
      String version = text(get(server, "/version"), "etcdserver");
      double millis = (System.nanoTime() - start) / 1e6;
      String seen = String.format(java.util.Locale.ROOT, "%s is etcd %s", where, version);
      rounds.say(
          EtcdVersions.isSafe(version)
              ? Finding.good("version", seen)
              : Finding.warn(
                  "version",
                  seen + ", which may break its promises about leases",
                  "use " + EtcdVersions.SAFE + ", or newer: docs/engines/etcd.md says why"));
      rounds.say(
          Finding.good(
              "latency",
              String.format(java.util.Locale.ROOT, "%s replies in %.1f ms", where, millis)));
    } catch (IOException e) {
      rounds.say(Finding.warn("member", where + " does not reply: " + e.getMessage(), "start it"));
    }
  }

  /** What one member says of all; with users, etcd may say nothing without a login. */
  private void lookAtCluster(InetSocketAddress server) {
    try {
      String status = post(server, "/v3/maintenance/status");
      rounds.say(
          text(status, "leader").matches("[1-9]\\d*")
              ? Finding.good("leader", "there is a leader, in term " + text(status, "raftTerm"))
              : Finding.bad(
                  "leader", "there is no leader", "a majority of the members must be up"));
      int members = count(post(server, "/v3/cluster/member/list"), "\"clientURLs\"");
      rounds.say(
          members >= 3
              ? Finding.good("members", "there are " + members)
              : Finding.note("members", "there are " + members + ": none may fail"));
      if (members > 1) {
        rounds.say(
            Finding.note(
                "leases",
                "a leader that stands still for most of a lease may revoke it when it goes on,"
                    + " though its successor keeps it: use tokens, see docs/engines/etcd.md"));
      }
      if (text(status, "errors").isEmpty() && count(status, "NOSPACE") > 0) {
        rounds.say(Finding.bad("space", "the database is full", "compact, defragment, disarm"));
      }
    } catch (IOException e) {
      rounds.say(Finding.note("members", "are not shown without a login: " + e.getMessage()));
    }
  }

  private String get(InetSocketAddress server, String path) throws IOException {
    return send(HttpRequest.newBuilder(uri(server, path)).GET());
  }

  private String post(InetSocketAddress server, String path) throws IOException {
    return send(
        HttpRequest.newBuilder(uri(server, path)).POST(HttpRequest.BodyPublishers.ofString("{}")));
  }

  private URI uri(InetSocketAddress server, String path) {
    return URI.create(scheme + "://" + server.getHostString() + ":" + server.getPort() + path);
  }

  private String send(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<String> response =
          http.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException("it returns " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String text(String json, String field) {
    Matcher found = Pattern.compile("\"" + field + "\":\"?([^\",}]*)").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  private static int count(String json, String what) {
    return json.split(Pattern.quote(what), -1).length - 1;
  }
}
