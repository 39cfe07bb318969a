package io.holdfast.rig.servers;

import io.holdfast.rig.process.Ports;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** An etcd cluster of three servers. Each has its own user when run as root. */
public final class EtcdCluster implements AutoCloseable {
  private static final Duration ELECTION = Duration.ofSeconds(20);

  /** Users of every Debian system, so that packets can be distinguished by sender. */
  private static final List<String> USERS = List.of("daemon", "bin", "sys");

  private final List<EtcdServer> members;

  private EtcdCluster(List<EtcdServer> members) {
    this.members = List.copyOf(members);
  }

  /** Starts three members, and returns when they have a leader; if one fails, none is left. */
  public static EtcdCluster start() {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < USERS.size(); i++) {
      ports.add(Ports.free());
    }
    List<CompletableFuture<EtcdServer>> starting = new ArrayList<>();
    for (int i = 0; i < USERS.size(); i++) {
      int index = i;
      starting.add(CompletableFuture.supplyAsync(() -> member(index, ports)));
    }
    List<EtcdServer> started = new ArrayList<>();
    RuntimeException failure = null;
    for (CompletableFuture<EtcdServer> each : starting) {
      try {
        started.add(each.join());
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      started.forEach(EtcdServer::close);
      throw failure;
    }
    EtcdCluster cluster = new EtcdCluster(started);
    cluster.leader();
    return cluster;
  }

  private static EtcdServer member(int index, List<Integer> peerPorts) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < peerPorts.size(); i++) {
      all.add("m" + i + "=http://127.0.0.1:" + peerPorts.get(i));
    }
    ServerSpec spec =
        ServerSpec.of(
                "etcd-" + index,
                place -> {
                  place.take("peer", peerPorts.get(index));
                  return EtcdServer.command(
                      place, "http", "m" + index, String.join(",", all), List.of());
                },
                EtcdServer::isWell)
            .withUser(USERS.get(index));
    return new EtcdServer(ServerProcess.start(spec));
  }

  /** The members, in the order of their indexes. */
  public List<EtcdServer> members() {
    return members;
  }

  /** The member with this index, from 0. */
  public EtcdServer member(int index) {
    return members.get(index);
  }

  /** The index of the member that leads; waits for an election. */
  public int leader() {
    return Await.value("a leader", ELECTION, () -> find(Optional.empty()));
  }

  /** The index of a member other than this that leads; waits for an election. */
  public int leaderOtherThan(int index) {
    return Await.value("another leader", ELECTION, () -> find(Optional.of(index)));
  }

  private Optional<Integer> find(Optional<Integer> butNot) {
    for (int i = 0; i < members.size(); i++) {
      EtcdServer member = members.get(i);
      if (!butNot.equals(Optional.of(i)) && member.process().isUp() && leads(member)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private static boolean leads(EtcdServer member) {
    try {
      return member.leads();
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** A member that does not lead. */
  public int follower() {
    return (leader() + 1) % members.size();
  }

  /**
   * Cuts a member off from the others: their packets vanish both ways, those of clients pass. Needs
   * root and iptables.
   */
  public PeerPartition cutOff(int index) {
    List<Integer> others =
        members.stream()
            .filter(member -> member != members.get(index))
            .map(EtcdServer::peerPort)
            .toList();
    return PeerPartition.of(USERS.get(index), members.get(index).peerPort(), others);
  }

  /** The addresses of all: {@code etcd://127.0.0.1:p1,127.0.0.1:p2,…}. */
  public String uri() {
    return "etcd://" + addresses(members);
  }

  /** The addresses of all, with this member first: clients begin there. */
  public String uriFrom(int index) {
    List<EtcdServer> turned = new ArrayList<>(members.subList(index, members.size()));
    turned.addAll(members.subList(0, index));
    return "etcd://" + addresses(turned);
  }

  private static String addresses(List<EtcdServer> servers) {
    return servers.stream()
        .map(server -> "127.0.0.1:" + server.port())
        .collect(Collectors.joining(","));
  }

  /** Stops all of them and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    members.forEach(EtcdServer::close);
  }
}
