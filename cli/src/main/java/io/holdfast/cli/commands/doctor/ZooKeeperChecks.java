package io.holdfast.cli.commands.doctor;

import io.holdfast.zookeeper.ZooKeeperOptions;
import io.holdfast.zookeeper.ZooKeeperOptions.Server;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Checks ZooKeeper servers with the command {@code srvr}, if they allow it. */
final class ZooKeeperChecks {

  private static final int TIMEOUT_MILLIS = 5000;
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\..*");

  private final Checkup rounds;
  private final Optional<SSLContext> tls;

  private ZooKeeperChecks(Checkup rounds, Optional<SSLContext> tls) {
    this.rounds = rounds;
    this.tls = tls;
  }

  static void look(Checkup rounds, String uri) {
    ZooKeeperOptions options = ZooKeeperOptions.of(uri);
    try {
      Optional<SSLContext> tls =
          options.tls().isEmpty() ? Optional.empty() : Optional.of(context(options.tls().get()));
      new ZooKeeperChecks(rounds, tls).look(options.servers());
      ClockCheck.ofLeader(rounds);
    } catch (IOException e) {
      rounds.say(Finding.bad("tls", String.valueOf(e.getMessage()), "fix the address"));
    }
  }

  private static SSLContext context(ZooKeeperOptions.Tls tls) throws IOException {
    return TlsSettings.of(
        tls.trustStore().map(ZooKeeperChecks::file), tls.keyStore().map(ZooKeeperChecks::file));
  }

  private static TlsSettings.KeyFile file(ZooKeeperOptions.Store store) {
    return new TlsSettings.KeyFile(store.file(), store.password());
  }

  private void look(List<Server> servers) {
    int leaders = 0;
    int silent = 0;
    for (Server server : servers) {
      try {
        String mode = look(server, KeyValueLines.of(ask(server)));
        leaders += mode.equals("leader") || mode.equals("standalone") ? 1 : 0;
      } catch (IOException e) {
        silent++;
        rounds.say(
            Finding.warn(
                "server",
                server + " does not reply: " + e.getMessage(),
                "start it, or enable the command: 4lw.commands.whitelist=srvr"));
      }
    }
    if (leaders == 0 && silent == 0) {
      rounds.say(
          Finding.note("members", "no server in the address leads: another member does, or none"));
    }
  }

  private String look(Server server, Map<String, String> facts) {
    String version = facts.getOrDefault("Zookeeper version", "?");
    String text = server + " is ZooKeeper " + version.split("[-,]", 2)[0];
    rounds.say(
        isKnown(version)
            ? Finding.good("version", text)
            : Finding.bad("version", text, "use 3.6 or later"));
    String mode = facts.getOrDefault("Mode", "?");
    rounds.say(
        mode.equals("standalone")
            ? Finding.note("members", server + " is alone: no server takes over when it is down")
            : Finding.good("members", server + " is a " + mode));
    rounds.say(
        Finding.good(
            "latency",
            server
                + " says min/avg/max "
                + facts.getOrDefault("Latency min/avg/max", "?")
                + " ms, outstanding "
                + facts.getOrDefault("Outstanding", "?")));
    return mode;
  }

  private static boolean isKnown(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      return false;
    }
    int major = Integer.parseInt(matcher.group(1));
    int minor = Integer.parseInt(matcher.group(2));
    return major > 3 || (major == 3 && minor >= 6);
  }

  private String ask(Server server) throws IOException {
    try (Socket plain = new Socket()) {
      plain.setSoTimeout(TIMEOUT_MILLIS);
      plain.connect(new InetSocketAddress(server.host(), server.port()), TIMEOUT_MILLIS);
      if (tls.isEmpty()) {
        return ask(plain);
      }
      try (Socket encrypted = encrypt(plain, server, tls.get())) {
        return ask(encrypted);
      }
    }
  }

  /** Looks at the name in the server's certificate, as the engine does. */
  private static Socket encrypt(Socket plain, Server server, SSLContext tls) throws IOException {
    SSLSocket socket =
        (SSLSocket) tls.getSocketFactory().createSocket(plain, server.host(), server.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    return socket;
  }

  private static String ask(Socket socket) throws IOException {
    socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!answer.contains("Mode:")) {
      throw new IOException(answer.isBlank() ? "no reply" : answer.lines().findFirst().orElse(""));
    }
    return answer;
  }
}
