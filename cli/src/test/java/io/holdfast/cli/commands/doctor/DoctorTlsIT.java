package io.holdfast.cli.commands.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.TestCertificates;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@DisplayName("holdfast doctor, over TLS:")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class DoctorTlsIT {

  @TempDir Path folder;

  @Test
  @DisplayName("looks at each ZooKeeper server")
  void zooKeeper() {
    ZooKeeperServerOptions usual = ZooKeeperServerOptions.PLAIN.withTick(Duration.ofSeconds(2));
    try (TestCertificates certificates = TestCertificates.create();
        ZooKeeperServer server = ZooKeeperServer.start(usual.withTls(certificates))) {
      String where = "127.0.0.1:" + server.tlsPort();
      String said = doctor("zookeeper://" + where + "?tls=true&" + trust(certificates));

      assertThat(said)
          .contains("version: " + where + " is ZooKeeper 3.")
          .contains("members: " + where + " is alone")
          .contains("latency: " + where + " says min/avg/max")
          .contains("a lock was acquired and released");
    }
  }

  @Test
  @DisplayName("looks at each etcd member, and says so if it does not trust them")
  void etcd() {
    try (TestCertificates certificates = TestCertificates.create();
        TestCertificates others = TestCertificates.create();
        EtcdServer server = EtcdServer.startWithTls(certificates)) {
      String where = "127.0.0.1:" + server.port();
      String said = doctor("etcds://" + where + "?" + trust(certificates));

      assertThat(said)
          .contains("version: " + where + " is etcd 3.")
          .contains("latency: " + where + " replies in")
          .contains("leader: there is a leader")
          .contains("members: there are 1", "clock: leases run on the leader's steady clock")
          .contains("a lock was acquired and released");
      assertThat(doctor("etcds://" + where + "?" + trust(others)))
          .contains("BAD   store: ")
          .doesNotContain("a lock was acquired");
    }
  }

  private static String trust(TestCertificates certificates) {
    return "trustStore="
        + certificates.trustStore()
        + "&trustStorePassword="
        + TestCertificates.PASSWORD;
  }

  /** All that it says, which has no password in it. */
  private String doctor(String uri) {
    try (CliProcess cli = CliProcess.Setup.in(folder).at(uri).run("doctor")) {
      String said = cli.out() + cli.err();
      assertThat(said).doesNotContain(TestCertificates.PASSWORD);
      return said;
    }
  }
}
