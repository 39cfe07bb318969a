package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Looks at a server before it is used: version, role, eviction, persistence. What would lose locks
 * is a warning, or a refusal when the profile is strict. Any thread may use it.
 */
public final class StartCheck {

  private static final System.Logger LOG = System.getLogger(StartCheck.class.getName());
  private static final int LEAST_VERSION = 7;

  private final boolean strict;
  private final Set<String> warnings = new ConcurrentSkipListSet<>();

  public StartCheck(boolean strict) {
    this.strict = strict;
  }

  /** What should be mended, each once. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** INFO was not answered: the user may not have the right to it. */
  void unseen(String address, String why) throws EngineException {
    doubt(address + " does not tell what it is (" + why + "): give the user the right to INFO");
  }

  void look(String address, ServerFacts facts) throws EngineException {
    if (facts.majorVersion() < LEAST_VERSION) {
      throw new EngineException.Refused(
          address
              + " is Redis "
              + facts.value("redis_version")
              + ": Holdfast needs "
              + LEAST_VERSION
              + ".0 or later");
    }
    if (!facts.isMaster()) {
      throw new EngineException.NotDone(
          address + " is a " + facts.value("role") + ", not a master: it takes no locks", null);
    }
    for (String doubt : doubts(address, facts)) {
      doubt(doubt);
    }
    String replicas = facts.value("connected_slaves");
    boolean hasReplicas = !replicas.isEmpty() && !replicas.equals("0");
    if (strict && hasReplicas && facts.value("min_slaves_good_slaves").isEmpty()) {
      warn(
          address
              + " goes on granting when it is cut off from its replicas: set min-replicas-to-write to"
              + " their number, or a failover may let two in");
    }
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

  private void doubt(String what) throws EngineException {
    if (strict) {
      throw new EngineException.Refused(what + " (the strict profile refuses to go on)");
    }
    warn(what);
  }

  private void warn(String what) {
    if (warnings.add(what)) {
      LOG.log(System.Logger.Level.WARNING, what);
    }
  }
}
