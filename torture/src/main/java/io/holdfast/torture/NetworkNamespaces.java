package io.holdfast.torture;

import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.process.ServerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Links over network namespaces, one for the servers and one for each worker. A pair of virtual
 * devices is between them. Packets are dropped or refused by the kernel, so half-open connections
 * are real ones.
 *
 * <p>Servers listen on 127.0.0.1 of their namespace. What a worker sends to its own 127.0.0.1 is
 * translated to the servers', so that all addresses that servers report to clients are right on
 * both sides.
 *
 * <p>The program runs in a namespace of its own. It disappears with its last process; the machine's
 * own network is not touched.
 */
final class NetworkNamespaces implements Network {
  private static final String INSIDE = "HOLDFAST_TORTURE_NAMESPACE";
  private static final Duration BOUND = Duration.ofSeconds(10);

  private final List<ServerProcess> keepers = new ArrayList<>();

  private NetworkNamespaces() {}

  /** Whether this process runs in a namespace of its own. */
  static boolean areInside() {
    return System.getenv(INSIDE) != null;
  }

  /** The environment variable of a process inside. */
  static String variable() {
    return INSIDE;
  }

  /** The command prefix for a process that runs in its own namespace. */
  static List<String> enter() {
    return List.of("setpriv", "--pdeathsig", "KILL", "unshare", "--net");
  }

  /** Why namespaces cannot be used on this machine; empty if they can. */
  static String obstacle() {
    String script =
        "ip link set lo up && ip link add a0 type veth peer name a1"
            + " && iptables -w -t nat -A INPUT -i a0 -j SNAT --to-source 127.0.0.1"
            + " && iptables -w -t nat -A OUTPUT -p tcp -d 127.0.0.1 -j DNAT --to-destination 10.0.0.1"
            + " && iptables -w -A INPUT -m statistic --mode random --probability 0.3 -j DROP"
            + " && iptables -w -A OUTPUT -p tcp -j REJECT --reject-with tcp-reset"
            + " && echo 1 >/proc/sys/net/ipv4/conf/a0/route_localnet";
    List<String> command = new ArrayList<>(enter());
    command.addAll(List.of("sh", "-c", script));
    try {
      Commands.run(BOUND, command);
      return "";
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Makes 127.0.0.1 of this namespace work; only inside, before anything is started. */
  static void begin() {
    run("ip link set lo up");
  }

  /** Links for so many workers; only inside. */
  static NetworkNamespaces create(int workers) {
    NetworkNamespaces all = new NetworkNamespaces();
    try {
      for (int i = 0; i < workers; i++) {
        all.add(i);
      }
      return all;
    } catch (RuntimeException | AssertionError e) {
      all.close();
      throw e;
    }
  }

  private void add(int worker) {
    ServerProcess keeper =
        ServerProcess.start(
            ServerSpec.of(
                "namespace",
                place -> List.of("unshare", "--net", "sleep", "infinity"),
                (place, pid) -> !namespace(pid).equals(namespace(ProcessHandle.current().pid()))));
    keepers.add(keeper);
    String device = "w" + worker;
    run("ip link add " + device + " type veth peer name eth0 netns " + keeper.pid());
    run("ip addr add " + server(worker) + "/30 dev " + device);
    run("ip link set " + device + " up");
    localNet(device);
    run(
        "iptables -w -t nat -A PREROUTING -i %s -p tcp -d %s -j DNAT --to-destination 127.0.0.1"
            .formatted(device, server(worker)));
    // Servers see clients of their own machine, as some servers accept no others.
    run("iptables -w -t nat -A INPUT -i " + device + " -j SNAT --to-source 127.0.0.1");
    inside(worker, "ip link set lo up");
    inside(worker, "ip addr add " + client(worker) + "/30 dev eth0");
    inside(worker, "ip link set eth0 up");
    inside(worker, "sysctl -q -w net.ipv4.conf.all.route_localnet=1");
    inside(
        worker,
        "iptables -w -t nat -A OUTPUT -p tcp -d 127.0.0.1 -j DNAT --to-destination "
            + server(worker));
    inside(worker, "iptables -w -t nat -A POSTROUTING -o eth0 -j MASQUERADE");
  }

  private static void localNet(String device) {
    try {
      Files.writeString(
          Path.of("/proc/sys/net/ipv4/conf").resolve(device).resolve("route_localnet"), "1");
    } catch (IOException e) {
      throw new IllegalStateException("route_localnet of " + device + " cannot be set", e);
    }
  }

  private static String namespace(long pid) throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/net")).toString();
  }

  private static String server(int worker) {
    return "10.77." + worker + ".1";
  }

  private static String client(int worker) {
    return "10.77." + worker + ".2";
  }

  @Override
  public String description() {
    return "network namespaces (the kernel drops, refuses and loses packets)";
  }

  @Override
  public List<String> prefix(int worker) {
    return List.of("nsenter", "--net=/proc/" + keepers.get(worker).pid() + "/ns/net");
  }

  @Override
  public String uri(int worker, String uri) {
    return uri;
  }

  @Override
  public List<FaultKind> faults() {
    return List.of(
        FaultKind.LINK_CUT,
        FaultKind.LINK_HALF_OPEN,
        FaultKind.REPLIES_LOST,
        FaultKind.REQUESTS_LOST,
        FaultKind.LINK_LOSSY);
  }

  @Override
  public Broken breakLink(FaultKind kind, int worker) {
    // By address: for packets that were translated, the kernel still names the device of before.
    String sent = "OUTPUT -p tcp -d " + server(worker);
    String received = "INPUT -p tcp -i eth0";
    return switch (kind) {
      case LINK_CUT -> rules(worker, List.of(sent + " -j REJECT --reject-with tcp-reset"));
      case LINK_HALF_OPEN -> rules(worker, List.of(sent + " -j DROP", received + " -j DROP"));
      case REPLIES_LOST -> rules(worker, List.of(received + " -j DROP"));
      case REQUESTS_LOST -> rules(worker, List.of(sent + " -j DROP"));
      case LINK_LOSSY ->
          rules(
              worker, List.of(received + " -m statistic --mode random --probability 0.3 -j DROP"));
      default -> throw new IllegalArgumentException("not a fault of a link: " + kind);
    };
  }

  @Override
  public Broken hide(int port) {
    List<Broken> all = new ArrayList<>();
    for (int i = 0; i < keepers.size(); i++) {
      all.add(rules(i, List.of("OUTPUT -p tcp -d " + server(i) + " --dport " + port + " -j DROP")));
    }
    return () -> all.forEach(Broken::close);
  }

  private Broken rules(int worker, List<String> rules) {
    rules.forEach(rule -> inside(worker, "iptables -w -I " + rule));
    return () -> rules.forEach(rule -> inside(worker, "iptables -w -D " + rule));
  }

  private void inside(int worker, String command) {
    List<String> whole = new ArrayList<>(prefix(worker));
    whole.addAll(List.of(command.split(" ", -1)));
    Commands.run(BOUND, whole);
  }

  private static void run(String command) {
    Commands.run(BOUND, List.of(command.split(" ", -1)));
  }

  @Override
  public void close() {
    keepers.forEach(ServerProcess::close);
  }
}
