package io.holdfast.cli.commands.doctor;

import io.holdfast.Health;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs all checks in order and reports each finding at once. */
public final class Checkup {

  private static final int TRIES = 3;
  private static final String FIX_REFUSAL =
      "the store refused: see the text; the page of this store in docs/engines lists the rights"
          + " that its user needs";

  private final Consumer<Finding> ear;

  /** Nothing is looked at yet. */
  public Checkup(Consumer<Finding> ear) {
    this.ear = ear;
  }

  /** Reports a finding. */
  public void say(Finding finding) {
    ear.accept(finding);
  }

  /** This machine, without the store. */
  public void lookAtThisMachine() {
    MachineChecks.look(this);
  }

  /**
   * The store: whether it replies, what its engine complains of, how long a lock takes, and what
   * only its own kind has. Blocks for some operation timeouts at most.
   *
   * @param uri may hold secrets
   * @param shown the same without
   * @param opener opens a client, which is closed here
   */
  public void lookAtStore(String uri, String shown, Supplier<Holdfast> opener) {
    try (Holdfast holdfast = opener.get()) {
      Health health = health(holdfast);
      if (health.status() == Health.Status.DOWN) {
        boolean refuses = LatencyCheck.isRefused(holdfast);
        String fix = refuses ? FIX_REFUSAL : "start it, or fix the address " + shown;
        say(Finding.bad("store", health.detail(), fix));
        return;
      }
      say(Finding.good("store", health.detail()));
      lookAtItsKind(uri);
      LatencyCheck.look(this, holdfast);
      // Some complaints come only when it has been used.
      for (String warning : holdfast.health().warnings()) {
        say(
            Finding.warn(
                "engine", warning, "see the text; docs/engines has the page of this store"));
      }
    } catch (HoldfastException e) {
      say(Finding.bad("store", String.valueOf(e.getMessage()), "see the text"));
    }
  }

  /** The first connection to a busy server may take longer than an operation may. */
  private static Health health(Holdfast holdfast) {
    Health health = holdfast.health();
    for (int tries = 1; tries < TRIES && health.status() == Health.Status.DOWN; tries++) {
      health = holdfast.health();
    }
    return health;
  }

  /** Connects in its own way; what cannot be seen so is no trouble of the store's. */
  private void lookAtItsKind(String uri) {
    String scheme = uri.substring(0, Math.max(0, uri.indexOf(':'))).toLowerCase(Locale.ROOT);
    // Parameters of ours are the client's; an engine's own options do not know all of them.
    String plain = ClientParameters.without(uri);
    switch (scheme) {
      case "redis", "rediss", "redis-sentinel", "redis-cluster", "redlock" ->
          RedisChecks.look(this, plain);
      case "zookeeper" -> ZooKeeperChecks.look(this, plain);
      case "etcd", "etcds" -> EtcdChecks.look(this, plain);
      case "jdbc" -> DatabaseChecks.look(this, plain);
      case "http", "https" ->
          say(
              Finding.note(
                  "service", "a lock service: check the store behind it with its own address"));
      default -> say(Finding.note("store", "everything is in this process, and ends with it"));
    }
  }
}
