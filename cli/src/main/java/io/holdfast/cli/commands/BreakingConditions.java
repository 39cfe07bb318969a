package io.holdfast.cli.commands;

import io.holdfast.cli.commands.doctor.EtcdVersions;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Short texts about what breaks the guarantees of a store.
 *
 * <p>The full text is in {@code docs/guarantees.md}.
 */
final class BreakingConditions {

  private static final String RAISE =
      "a store that is restored from a backup: raise holdfast.generation, so that tokens rise";

  private BreakingConditions() {}

  /** The scheme of an address, with that of the database where it has one: {@code jdbc:sqlite}. */
  static String scheme(String uri) {
    String lower = uri.toLowerCase(Locale.ROOT);
    int from = lower.startsWith("jdbc:") ? "jdbc:".length() : 0;
    int end = lower.indexOf(':', from);
    return end < 0 ? lower : lower.substring(0, end);
  }

  static List<String> of(String scheme, EngineTraits traits, Set<Guarantee> kept) {
    List<String> breaks = new ArrayList<>();
    breaks.add("clocks of holder and store whose rates differ by more than holdfast.drift");
    if (!kept.contains(Guarantee.STEADY_LEASES)) {
      breaks.add("the store's clock stepping forward: leases end early by the step");
    }
    addOwn(breaks, scheme, traits, kept);
    breaks.add("release --evict, on purpose: until the old holder is notified");
    breaks.add("writes of a holder that was paused, unless what it writes to checks the token");
    return breaks;
  }

  private static void addOwn(
      List<String> breaks, String scheme, EngineTraits traits, Set<Guarantee> kept) {
    boolean survives = kept.contains(Guarantee.EXCLUSION_SURVIVES_FAILOVER);
    switch (scheme) {
      case "memory" -> breaks.add("the end of the process: everything is in it");
      case "redis", "rediss", "redis-sentinel", "redis-cluster" -> {
        breaks.add("eviction: maxmemory-policy must be noeviction");
        breaks.add(
            survives
                ? "a failover or restart without the strict profile's conditions: docs/engines/redis.md"
                : "a failover, or a restart without its data: what was granted last may be granted"
                    + " again until the old holder's next renewal; tokens still rise");
      }
      case "http", "https" ->
          breaks.add("whatever breaks the promises of the store behind the lock service");
      case "redlock" -> {
        breaks.add("more than half of the servers forgetting, or their clocks stepping");
        breaks.add("a server that restarts without its data and without the waiting time");
      }
      case "zookeeper" -> {
        breaks.add("the leader's process standing still for a tenth of the lease at a bad moment");
        breaks.add("nodes that are deleted by hand, until the holder is notified");
        breaks.add(RAISE);
      }
      case "etcd", "etcds" -> {
        breaks.add(
            "a leader of several members that stands still for most of the lease: when it goes on"
                + " it may revoke leases that its successor keeps, in all versions; tokens still rise");
        breaks.add("etcd older than " + EtcdVersions.SAFE + ", which break promises of their own");
        breaks.add(RAISE);
      }
      default -> addDatabase(breaks, scheme, traits);
    }
  }

  private static void addDatabase(List<String> breaks, String scheme, EngineTraits traits) {
    if (traits.sessionLease().isPresent()) {
      breaks.add("ending the connection or the server: the lock is free before its holder knows");
    }
    switch (scheme) {
      case "jdbc:sqlite" -> breaks.add("a file on a network drive; another machine");
      case "jdbc:h2" -> breaks.add("a crash: H2 writes late; in memory, other processes");
      case "jdbc:postgresql" ->
          breaks.add("fsync or full_page_writes off, or a standby that lacks the last commits");
      default ->
          breaks.add("commits that are not flushed, or a replica that lacks the last commits");
    }
    breaks.add(RAISE);
  }
}
