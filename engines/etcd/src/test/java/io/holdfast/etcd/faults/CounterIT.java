package io.holdfast.etcd.faults;

import io.holdfast.etcd.Engines;
import io.holdfast.rig.CounterFaults;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.FaultProxy;
import io.holdfast.spi.LockEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of numbers while servers die and answers are lost. */
@Timeout(120)
class CounterIT {

  @Test
  @DisplayName("a server that is killed repeats no block: a lost answer wastes one")
  void killed() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        LockEngine mine = Engines.open(server.uri());
        LockEngine theirs = Engines.open(server.uri())) {
      CounterFaults.killed(
          "etcd", server.process(), mine.counter().orElseThrow(), theirs.counter().orElseThrow());
    }
  }

  @Test
  @DisplayName("an answer that is lost wastes a block and repeats none")
  void lostAnswers() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        LockEngine engine = Engines.open("etcd://127.0.0.1:" + proxy.port())) {
      CounterFaults.lostAnswers("etcd", proxy, engine.counter().orElseThrow());
    }
  }
}
