package io.holdfast.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A member of a cluster that the others do not hear, and that does not hear them. */
public final class PeerCut implements AutoCloseable {

  private final List<List<String>> rules;

  private PeerCut(List<List<String>> rules) {
    this.rules = rules;
  }

  static PeerCut of(String user, int ownPort, List<Integer> otherPorts) {
    List<List<String>> rules = new ArrayList<>();
    rules.add(List.of("-p", "tcp", "--dport", Integer.toString(ownPort)));
    rules.add(List.of("-p", "tcp", "--sport", Integer.toString(ownPort)));
    for (int port : otherPorts) {
      rules.add(
          List.of(
              "-p", "tcp", "--dport", Integer.toString(port), "-m", "owner", "--uid-owner", user));
    }
    PeerCut cut = new PeerCut(rules);
    rules.forEach(rule -> iptables("-I", rule));
    return cut;
  }

  private static void iptables(String change, List<String> rule) {
    List<String> command = new ArrayList<>();
    command.add(Program.of("iptables", "iptables").find().toString());
    command.addAll(List.of("-w", change, "OUTPUT", "-o", "lo"));
    command.addAll(rule);
    command.addAll(List.of("-j", "DROP"));
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
