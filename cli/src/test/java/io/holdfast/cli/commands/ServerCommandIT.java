package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.cli.CliOutput;
import io.holdfast.cli.CliProcess;
import io.holdfast.cli.ExitCode;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.servers.TestCertificates;
import io.holdfast.rig.time.Await;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast server")
class ServerCommandIT {

  private static final Pattern SERVING = Pattern.compile("serving (\\S+) at (\\S+)");
  private static final int TERMINATED = ExitCode.SIGNAL + 15;

  private static final Duration LEASE = Duration.ofSeconds(10);

  @TempDir Path folder;

  private CliProcess start(String... more) {
    String[] arguments = new String[more.length + 1];
    arguments[0] = "server";
    System.arraycopy(more, 0, arguments, 1, more.length);
    return CliProcess.Setup.in(folder).start(arguments);
  }

  private static String address(CliProcess server) {
    Await.until("the server serves", CliProcess.LONG, () -> server.out().contains("serving"));
    Matcher line = SERVING.matcher(server.out());
    assertThat(line.find()).as(server.out() + server.err()).isTrue();
    return line.group(2);
  }

  @Test
  @DisplayName("serves the user's own store, and programs on it use one lock")
  void ownStore() throws Exception {
    try (CliProcess server = start("--port", "0")) {
      String address = address(server);
      assertThat(server.out()).contains("serving jdbc:sqlite:");
      CliOutput ran =
          CliOutput.byProcess(folder, "run", "--store", address, "backup", "--", "true");
      assertThat(ran.code()).as(ran.err()).isZero();
      try (Holdfast holdfast = Holdfast.connect(address);
          Hold hold = holdfast.lock("backup").tryAcquire().orElseThrow()) {
        CliOutput direct = CliOutput.byProcess(folder, "run", "--no-wait", "backup", "--", "true");
        assertThat(direct.code()).as(direct.err()).isEqualTo(ExitCode.NOT_ACQUIRED);
        CliOutput shown = CliOutput.byProcess(folder, "show", "--store", address, "backup");
        assertThat(shown.out()).as(shown.err()).contains(Long.toString(hold.token()));
      }
      server.signal("TERM");
      assertThat(server.awaitExit()).isEqualTo(TERMINATED);
      assertThat(server.err()).contains("stopping; holds stay in the store");
    }
  }

  @Test
  @DisplayName(
      "a hold outlives its server: stopped, started again, and killed with another at hand")
  void holdsOutliveServers() throws Exception {
    int first = Ports.free();
    int second = Ports.free();
    String both = "http://127.0.0.1:" + first + ",127.0.0.1:" + second;
    try (CliProcess stopped = start("--port", Integer.toString(first));
        CliProcess killed = start("--port", Integer.toString(second))) {
      address(stopped);
      address(killed);
      try (Holdfast holdfast = Holdfast.connect(both, HoldfastOptions.DEFAULTS.withLease(LEASE))) {
        Hold hold = holdfast.lock("orders").acquire(CliProcess.LONG);
        stopped.signal("TERM");
        assertThat(stopped.awaitExit()).isEqualTo(TERMINATED);
        checkHeldFor(hold, LEASE.multipliedBy(3).dividedBy(2));
        try (CliProcess again = start("--port", Integer.toString(first))) {
          address(again);
          killed.kill9();
          checkHeldFor(hold, LEASE.multipliedBy(3).dividedBy(2));
          assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
        }
      }
    }
  }

  private static void checkHeldFor(Hold hold, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      assertThat(hold.isHeld()).as("%s", hold.loss()).isTrue();
      LockSupport.parkNanos(20_000_000L);
    }
  }

  @Test
  @DisplayName("says which address cannot be listened at")
  void portInUse() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      CliOutput printed =
          CliOutput.byProcess(folder, "server", "--port", Integer.toString(taken.getLocalPort()));
      assertThat(printed.code()).isEqualTo(ExitCode.STORE);
      assertThat(printed.err()).contains("cannot listen at 127.0.0.1:" + taken.getLocalPort());
    }
  }

  @Test
  @DisplayName("listens at loopback addresses only")
  void loopback() {
    CliOutput printed = CliOutput.byProcess(folder, "server", "--listen", "0.0.0.0");
    assertThat(printed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(printed.err()).contains("--tls-cert", "--auth", "127.0.0.1");
  }

  @Test
  @DisplayName("with an auth file it serves who has a token, over TLS, and writes the audit")
  void secured() throws Exception {
    String token = "holdfast_" + "t0ken".repeat(9);
    Path auth = folder.resolve("auth");
    Files.writeString(
        auth, "token sha256:" + sha256(token) + " billing\nallow billing lock,look * *\n");
    Path audit = folder.resolve("audit.jsonl");
    try (TestCertificates certificates = TestCertificates.create();
        CliProcess server =
            start(
                "--port",
                "0",
                "--listen",
                "0.0.0.0",
                "--tls-cert",
                certificates.serverCertificate().toString(),
                "--tls-key",
                certificates.serverKey().toString(),
                "--auth",
                auth.toString(),
                "--audit",
                audit.toString())) {
      String address = address(server);
      assertThat(address).startsWith("https://0.0.0.0:");
      String store =
          address.replace("0.0.0.0", "localhost")
              + "?trustStore="
              + certificates.trustStore()
              + "&trustStorePassword="
              + TestCertificates.PASSWORD;
      CliProcess.Setup client = CliProcess.Setup.in(folder).at(store);
      try (CliProcess stranger = client.run("run", "--no-wait", "backup", "--", "true")) {
        assertThat(stranger.awaitExit()).isEqualTo(ExitCode.STORE);
        assertThat(stranger.err()).contains("needs a token (401)", "HOLDFAST_TOKEN");
      }
      try (CliProcess known =
          client.with("HOLDFAST_TOKEN", token).run("run", "backup", "--", "true")) {
        assertThat(known.awaitExit()).as(known.err()).isZero();
      }
      server.signal("TERM");
      assertThat(server.awaitExit()).isEqualTo(TERMINATED);
      assertThat(Files.readString(audit))
          .contains("\"denied\"", "\"granted\"", "\"released\"", "\"billing\"", "\"backup\"");
      assertThat(server.out() + server.err()).doesNotContain(token);
    }
  }

  private static String sha256(String text) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    return HexFormat.of().formatHex(hash);
  }
}
