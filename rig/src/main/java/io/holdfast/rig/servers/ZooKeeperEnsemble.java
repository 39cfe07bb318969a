package io.holdfast.rig.servers;

import io.holdfast.rig.process.Ports;
import io.holdfast.rig.process.ReadyCheck;
import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Three ZooKeeper servers that elect a leader. Each speaks to the others through proxies of the
 * test, so that one can be cut off from them while its clients still reach it.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {

  private static final int SIZE = 3;
  private static final Duration ELECTION = Duration.ofSeconds(60);

  /** The ports of a member, known to all before any of them starts. */
  private record MemberPorts(int client, int peer, int election) {
    static MemberPorts free() {
      return new MemberPorts(Ports.free(), Ports.free(), Ports.free());
    }
  }

  private final List<ZooKeeperServer> members = new ArrayList<>();

  /** From the row's member to the column's; the entry to itself is not used. */
  private final List<List<FaultProxy>> ways = new ArrayList<>();

  private ZooKeeperEnsemble() {}

  /** Starts three, and returns when they have a leader. */
  public static ZooKeeperEnsemble start() {
    return start(ZooKeeperServerOptions.PLAIN);
  }

  /** Starts three with these options, and returns when they have a leader. */
  public static ZooKeeperEnsemble start(ZooKeeperServerOptions options) {
    ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();
    try {
      ensemble.launch(options);
      return ensemble;
    } catch (RuntimeException | AssertionError e) {
      ensemble.close();
      throw e;
    }
  }

  private void launch(ZooKeeperServerOptions options) {
    List<MemberPorts> ports = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      ports.add(MemberPorts.free());
    }
    for (int from = 0; from < SIZE; from++) {
      List<FaultProxy> row = new ArrayList<>();
      for (int to = 0; to < SIZE; to++) {
        row.add(FaultProxy.to(Ports.loopback(ports.get(to).peer)));
      }
      ways.add(row);
    }
    for (int i = 0; i < SIZE; i++) {
      int me = i;
      // They are ready when there is a leader, which one alone cannot have.
      ServerSpec spec =
          options
              .spec()
              .withPort(ports.get(me).client)
              .withReady(ReadyCheck.acceptsConnections())
              .withPreparation(place -> configure(options, place, me, ports));
      members.add(new ZooKeeperServer(ServerProcess.start(spec)));
    }
    awaitLeader();
  }

  /**
   * Every member listens to the others on its own ports, and calls them through its own proxies.
   * The ports for elections are direct: a cut member can vote, and cannot follow.
   */
  private void configure(
      ZooKeeperServerOptions options, ServerLocation place, int me, List<MemberPorts> ports)
      throws IOException {
    Map<String, String> lines = new TreeMap<>(options.settings());
    for (int to = 0; to < SIZE; to++) {
      int peer = to == me ? ports.get(to).peer : ways.get(me).get(to).port();
      lines.put("server." + (to + 1), "127.0.0.1:" + peer + ":" + ports.get(to).election);
    }
    new ZooKeeperServerOptions(options.tick(), lines, options.certificates()).configure(place);
    Files.writeString(place.folder().resolve("data").resolve("myid"), Integer.toString(me + 1));
  }

  /** All of them. */
  public List<ZooKeeperServer> members() {
    return List.copyOf(members);
  }

  /** The address of all of them, as clients of Holdfast write it. */
  public String uri() {
    return "zookeeper://" + addresses();
  }

  /** All hosts and ports, as a client's connect string has them. */
  public String addresses() {
    return members.stream().map(ZooKeeperServer::address).collect(Collectors.joining(","));
  }

  /** Waits until a majority has a leader, and returns the leader. */
  public ZooKeeperServer awaitLeader() {
    Await.until(
        "a leader with a majority",
        ELECTION,
        () ->
            members.stream().filter(m -> m.mode().equals("leader")).count() == 1
                && members.stream().filter(m -> m.mode().equals("follower")).count() >= 1);
    return leader();
  }

  /** Waits until all that run have the same leader. */
  public void awaitAll() {
    Await.until(
        "a leader and its followers",
        ELECTION,
        () ->
            members.stream().filter(m -> m.mode().equals("leader")).count() == 1
                && members.stream().filter(m -> m.mode().equals("follower")).count() == SIZE - 1);
  }

  private ZooKeeperServer leader() {
    return members.stream().filter(m -> m.mode().equals("leader")).findFirst().orElseThrow();
  }

  /** Returns a follower. */
  public ZooKeeperServer follower() {
    return members.stream().filter(m -> m.mode().equals("follower")).findFirst().orElseThrow();
  }

  /** Cuts a member off from the others, silently; its clients still reach it. */
  public void cutOff(ZooKeeperServer member) {
    waysOf(member).forEach(FaultProxy::blackHole);
  }

  /** Ends the cut. */
  public void heal(ZooKeeperServer member) {
    waysOf(member).forEach(FaultProxy::heal);
  }

  private List<FaultProxy> waysOf(ZooKeeperServer member) {
    int index = members.indexOf(member);
    List<FaultProxy> all = new ArrayList<>();
    for (int other = 0; other < SIZE; other++) {
      if (other != index) {
        all.add(ways.get(index).get(other));
        all.add(ways.get(other).get(index));
      }
    }
    return all;
  }

  /** Stops all and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    members.forEach(ZooKeeperServer::close);
    ways.forEach(row -> row.forEach(FaultProxy::close));
  }
}
