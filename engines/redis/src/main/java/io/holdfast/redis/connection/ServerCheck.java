package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks the version, role and eviction policy of a server before it is used. Thread-safe.
 *
 * <p>In the strict profile it also checks whether the server would go on without its replicas. A
 * setting that may lose locks is a warning until the server is seen without it, and a refusal in
 * the strict profile.
 */
public final class ServerCheck {

  private static final System.Logger LOG = System.getLogger(ServerCheck.class.getName());
  private static final int LEAST_VERSION = 7;

  private final boolean strict;
  private final ConcurrentSkipListMap<String, List<String>> warnings =
      new ConcurrentSkipListMap<>();

  public ServerCheck(boolean strict) {
    this.strict = strict;
  }

  /** Returns what should be fixed, as of the latest check of each server. */
  public List<String> warnings() {
    return warnings.values().stream().flatMap(List::stream).toList();
  }

  /** Checks the server behind a connection of a caller-supplied client. */
  void look(String address, LaneConnection connection) throws EngineException {
    ServerInfo facts;
    try {
      facts = ServerInfo.of(connection);
    } catch (EngineException.Refused e) {
      unseen(address, String.valueOf(e.getMessage()));
      return;
    } catch (EngineException e) {
      throw new EngineException.NotDone(address + " did not reply: " + e.getMessage(), e);
    }
    look(address, facts);
  }

  /** INFO was refused: the user may lack the right to it. */
  void unseen(String address, String why) throws EngineException {
    String what =
        address
            + " cannot be checked: INFO was refused ("
            + why
            + "); give the user the right to INFO";
    refuseIfStrict(List.of(what));
    warn(address, List.of(what));
  }

  void look(String address, ServerInfo facts) throws EngineException {
    if (facts.majorVersion() < LEAST_VERSION) {
      throw new EngineException.Refused(
          address + " is " + facts.product() + ": Holdfast needs " + LEAST_VERSION + ".0 or later");
    }
    if (!facts.isMaster()) {
      throw new EngineException.NotDone(
          address + " is a " + facts.value("role") + ", not a master: it takes no locks", null);
    }
    List<String> doubts = doubts(address, facts);
    refuseIfStrict(doubts);
    if (strict && goesOnAlone(facts)) {
      doubts.add(
          address
              + " goes on granting when it is cut off from its replicas: set min-replicas-to-write"
              + " to their number, or a failover may let two in");
    }
    warn(address, doubts);
  }

  private static boolean goesOnAlone(ServerInfo facts) {
    String replicas = facts.value("connected_slaves");
    boolean hasReplicas = !replicas.isEmpty() && !replicas.equals("0");
    return hasReplicas && facts.value("min_slaves_good_slaves").isEmpty();
  }

  private static List<String> doubts(String address, ServerInfo facts) {
    List<String> doubts = new ArrayList<>();
    String policy = facts.value("maxmemory_policy");
    boolean bounded = !facts.value("maxmemory").equals("0");
    if (bounded && !policy.isEmpty() && !policy.equals("noeviction")) {
      doubts.add(
          address
              + " may evict locks when its memory is full: maxmemory-policy is "
              + policy
              + ", set it to noeviction");
    }
    return doubts;
  }

  /** Replaces the warnings about a caller-supplied client; none if it is as it should be. */
  void client(String address, List<String> doubts) {
    warn(address, doubts);
  }

  private void refuseIfStrict(List<String> doubts) throws EngineException {
    if (strict && !doubts.isEmpty()) {
      throw new EngineException.Refused(doubts.get(0) + " (refused by the strict profile)");
    }
  }

  /** Replaces the warnings of this server; new ones are logged. */
  private void warn(String address, List<String> now) {
    @Nullable List<String> before =
        now.isEmpty() ? warnings.remove(address) : warnings.put(address, List.copyOf(now));
    for (String what : now) {
      if (before == null || !before.contains(what)) {
        LOG.log(System.Logger.Level.WARNING, what);
      }
    }
  }
}
