package io.holdfast.zookeeper;

import io.holdfast.spi.LockEngine;
import io.holdfast.zookeeper.connection.ClientSettings;
import io.holdfast.zookeeper.session.HeldLockScan;
import io.holdfast.zookeeper.session.Sessions;
import io.holdfast.zookeeper.session.TicketTable;
import io.holdfast.zookeeper.verbs.VerbContext;

/** What tests in the rooms see of an engine. */
public final class EngineInternals {

  private EngineInternals() {}

  /** What the engine's client knows of its tickets. */
  public static TicketTable tickets(LockEngine engine) {
    return ((ZooKeeperEngine) engine).tickets();
  }

  /** The sessions of the engine's client. */
  public static Sessions sessions(LockEngine engine) {
    return ((ZooKeeperEngine) engine).sessions();
  }

  /** The scan of held locks. */
  public static HeldLockScan heldLocks(LockEngine engine) {
    return ((ZooKeeperEngine) engine).heldLocks();
  }

  /** What the engine's verbs share. */
  public static VerbContext verbs(LockEngine engine) {
    return ((ZooKeeperEngine) engine).verbs();
  }

  /** The same as {@code ZooKeeperOptions.clientSettings}. */
  public static ClientSettings clientSettings(ZooKeeperOptions options) {
    return options.clientSettings();
  }
}
