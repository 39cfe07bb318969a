package io.holdfast.etcd;

import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.NewerServers;
import io.holdfast.rig.time.Figure;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on a cluster of one newer etcd, by {@code -Dnewer}. */
final class NewerEtcdConformanceIT extends EngineConformanceKit {

  private static EtcdServer etcd;

  @BeforeAll
  static void start() throws Exception {
    etcd = EtcdServer.start(NewerServers.of(EtcdServer.spec(), "etcd"));
    Matcher version =
        Pattern.compile("\"version\":\"([^\"]*)\"").matcher(etcd.post("maintenance/status", "{}"));
    Figure.print("the kit on etcd %s", version.find() ? version.group(1) : "?");
  }

  @AfterAll
  static void stop() throws Exception {
    etcd.close();
  }

  @Override
  public EngineUnderTest open() {
    return Engines.store(etcd.uri());
  }
}
