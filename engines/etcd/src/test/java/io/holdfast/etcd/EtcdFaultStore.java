package io.holdfast.etcd;

import io.holdfast.FenceGuard;
import io.holdfast.rig.faults.ServerFaultStore;
import io.holdfast.rig.servers.EtcdServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The members of an etcd cluster for the fault kit. */
abstract class EtcdFaultStore extends ServerFaultStore {

  private final List<EtcdServer> members;

  EtcdFaultStore(String name, List<EtcdServer> members) {
    super(
        name,
        new EtcdEngineProvider(),
        members.stream().map(EtcdServer::process).toList(),
        EtcdFaultStore::uri);
    this.members = members;
  }

  private static String uri(List<Integer> ports) {
    return ports.stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(",", "etcd://", ""));
  }

  private EtcdServer last() {
    return members.get(members.size() - 1);
  }

  /** With 2 s, holds expired now and then while the clients of all scenarios started. */
  @Override
  public Duration lease() {
    return Duration.ofSeconds(3);
  }

  /** All but the record of each namespace. */
  @Override
  public List<String> leftovers(String namespace) {
    return last().keys("holdfast/").stream()
        .filter(key -> !key.startsWith("holdfast/store/"))
        .toList();
  }

  @Override
  public FenceGuard guard() {
    return EtcdFenceGuard.connect(uri());
  }

  @Override
  public void deleteHeld(String namespace, String name) {
    String line = "holdfast/line/" + namespace + "/" + name + '\0';
    String oldest =
        last()
            .ctl(
                "get",
                "--prefix",
                line.substring(0, line.length() - 1),
                "--keys-only",
                "--sort-by=CREATE",
                "--limit=1")
            .strip();
    if (!oldest.startsWith(line)) {
      throw new AssertionError("no record of " + name);
    }
    last().delete(oldest);
  }

  @Override
  public void close() {
    members.forEach(EtcdServer::close);
  }
}
