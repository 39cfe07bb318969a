package io.holdfast.rig.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.rig.process.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A cluster member whose packets to and from the other members are dropped. */
public final class PeerPartition implements AutoCloseable {

  private final List<List<String>> rules;

  private PeerPartition(List<List<String>> rules) {
    this.rules = rules;
  }

  /**
   * Its own port is shut for all. The connections that it has made to the others are known by who
   * sends on them; they get a mark, by which the replies are known too.
   */
  static PeerPartition of(String user, int ownPort, List<Integer> otherPorts) {
    String mark = Integer.toString(ownPort);
    List<List<String>> rules = new ArrayList<>();
    for (int port : otherPorts) {
      rules.add(
          List.of(
              ("mangle OUTPUT -o lo -p tcp --dport %d -m owner --uid-owner %s"
                      + " -j CONNMARK --set-mark %s")
                  .formatted(port, user, mark)
                  .split(" ")));
    }
    for (String match :
        List.of("-p tcp --dport " + mark, "-p tcp --sport " + mark, "-m connmark --mark " + mark)) {
      rules.add(List.of(("filter OUTPUT -o lo " + match + " -j DROP").split(" ")));
    }
    rules.forEach(rule -> iptables("-I", rule));
    return new PeerPartition(rules);
  }

  private static void iptables(String change, List<String> rule) {
    List<String> command = new ArrayList<>();
    command.add(Program.of("iptables", "iptables").find().toString());
    command.addAll(List.of("-w", "-t", rule.get(0), change));
    command.addAll(rule.subList(1, rule.size()));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + " failed: " + printed);
      }
    } catch (IOException e) {
      throw new IllegalStateException(command + " did not run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(command + " did not end", e);
    }
  }

  /** Packets pass again. */
  @Override
  public void close() {
    rules.forEach(rule -> iptables("-D", rule));
    rules.clear();
  }
}
