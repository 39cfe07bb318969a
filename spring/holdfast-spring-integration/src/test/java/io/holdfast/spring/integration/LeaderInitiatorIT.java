package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's own election over the registry: one leader of two machines on Redis. */
@Timeout(60)
class LeaderInitiatorIT {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Resource LOCK = new Resource("default", "si/outbox");

  private final List<String> heard = new CopyOnWriteArrayList<>();
  private RedisServer redis;
  private Machine east;
  private Machine west;

  /** A candidate with a client of its own. */
  private final class Machine implements AutoCloseable {
    final Holdfast holdfast = Holdfast.connect(redis.uri());
    final LockRegistryLeaderInitiator initiator;

    Machine(String name) {
      HoldfastLockRegistry registry = new HoldfastLockRegistry(holdfast, "si/");
      initiator = new LockRegistryLeaderInitiator(registry, new Candidate(name));
      initiator.setHeartBeatMillis(50);
      initiator.setBusyWaitMillis(10);
      initiator.setApplicationEventPublisher(event -> {});
    }

    boolean leads() {
      return initiator.getContext().isLeader();
    }

    @Override
    public void close() {
      initiator.stop();
      Await.until("the end of leadership", LONG, () -> holdfast.stats().held() == 0);
      holdfast.close();
    }
  }

  private final class Candidate extends DefaultCandidate {

    Candidate(String id) {
      super(id, "outbox");
    }

    @Override
    public void onGranted(Context context) {
      heard.add(getId() + " leads");
    }

    @Override
    public void onRevoked(Context context) {
      heard.add(getId() + " leads no more");
    }
  }

  @BeforeEach
  void start() {
    redis = RedisServer.start();
    east = new Machine("east");
    west = new Machine("west");
    east.initiator.start();
    Await.until("the first leader", LONG, () -> heard.contains("east leads"));
    west.initiator.start();
  }

  @AfterEach
  void stop() {
    east.close();
    west.close();
    redis.close();
  }

  @Test
  void theOtherLeadsWhenTheLeaderStops() {
    Await.until("the waiting candidate", LONG, () -> west.holdfast.stats().waiting() == 1);
    assertThat(west.leads()).isFalse();
    east.initiator.stop();
    Await.until("the second leader", LONG, west::leads);
    Await.until("the end of the first", LONG, () -> !east.leads());
    Await.until("all calls", LONG, () -> heard.size() == 3);
    assertThat(heard).containsExactlyInAnyOrder("east leads", "east leads no more", "west leads");
  }

  @Test
  void aLeaderThatLosesTheLockIsRevoked() throws Exception {
    EngineInspector inspector = west.holdfast.inspector().orElseThrow();
    long token = inspector.show(LOCK).orElseThrow().tickets().get(0).token();
    inspector.evict(LOCK, token, "stuck");
    Await.until("the revocation", LONG, () -> heard.contains("east leads no more"));
    Await.until("a leader", LONG, () -> east.leads() || west.leads());
    assertThat(east.leads() && west.leads()).isFalse();
  }
}
