package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a server before it is used: version, role, eviction, and in the strict profile whether
 * it would go on without its replicas. What may lose locks is a warning until the server is seen
 * without it, or a refusal when the profile is strict. Any thread may use it.
 */
public final class StartCheck {

  private static final System.Logger LOG = System.getLogger(StartCheck.class.getName());
  private static final int LEAST_VERSION = 7;

  private final boolean strict;
  private final ConcurrentSkipListMap<String, List<String>> warnings =
      new ConcurrentSkipListMap<>();

  public StartCheck(boolean strict) {
    this.strict = strict;
  }

  /** What should be mended, as each server was when it was last looked at. */
  public List<String> warnings() {
    return warnings.values().stream().flatMap(List::stream).toList();
  }

  /** Looks at the server at the end of a wire that somebody else's client has. */
  void look(String address, Wire wire) throws EngineException {
    ServerFacts facts;
    try {
      facts = ServerFacts.of(wire);
    } catch (EngineException.Refused e) {
      unseen(address, String.valueOf(e.getMessage()));
      return;
    } catch (EngineException e) {
      throw new EngineException.NotDone(address + " did not answer: " + e.getMessage(), e);
    }
    look(address, facts);
  }

  /** INFO was not answered: the user may not have the right to it. */
  void unseen(String address, String why) throws EngineException {
    String what =
        address + " does not tell what it is (" + why + "): give the user the right to INFO";
    refuseIfStrict(List.of(what));
    warn(address, List.of(what));
  }

  void look(String address, ServerFacts facts) throws EngineException {
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

  private static boolean goesOnAlone(ServerFacts facts) {
    String replicas = facts.value("connected_slaves");
    boolean hasReplicas = !replicas.isEmpty() && !replicas.equals("0");
    return hasReplicas && facts.value("min_slaves_good_slaves").isEmpty();
  }

  private static List<String> doubts(String address, ServerFacts facts) {
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

  private void refuseIfStrict(List<String> doubts) throws EngineException {
    if (strict && !doubts.isEmpty()) {
      throw new EngineException.Refused(doubts.get(0) + " (the strict profile refuses to go on)");
    }
  }

  /** In the place of what was said of this server before; what is new is logged. */
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
