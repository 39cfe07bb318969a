package io.holdfast.etcd.admin;

import io.holdfast.etcd.Engines;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.scenarios.CounterFaultScenario;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.spi.LockEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of numbers while servers are killed and replies are lost. */
@Timeout(120)
class CounterKeysIT {

  @Test
  @DisplayName("a killed server repeats no block: a lost reply wastes one")
  void killed() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        LockEngine mine = Engines.open(server.uri());
        LockEngine theirs = Engines.open(server.uri())) {
      CounterFaultScenario.killed(
          "etcd", server.process(), mine.counter().orElseThrow(), theirs.counter().orElseThrow());
    }
  }

  @Test
  @DisplayName("a lost reply wastes a block and repeats none")
  void lostAnswers() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        LockEngine engine = Engines.open("etcd://127.0.0.1:" + proxy.port())) {
      CounterFaultScenario.lostAnswers("etcd", proxy, engine.counter().orElseThrow());
    }
  }
}
