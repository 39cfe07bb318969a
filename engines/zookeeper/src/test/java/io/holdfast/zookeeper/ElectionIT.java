package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Election;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U43: leaders that go, and leaders that are cut off. */
@Timeout(120)
class ElectionIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Holdfast at(int port) {
    return Holdfast.connect("zookeeper://127.0.0.1:" + port + "/leads?holdfast.lease=3s");
  }

  /** Writes down what happens to it. */
  private static final class Noting implements Election.Candidate {
    final List<String> notes = new CopyOnWriteArrayList<>();
    final List<Long> tokens = new CopyOnWriteArrayList<>();
    private final Runnable look;

    /** A candidate that looks at something whenever it is elected. */
    Noting(Runnable look) {
      this.look = look;
    }

    @Override
    public void elected(Hold leadership) {
      look.run();
      tokens.add(leadership.token());
      notes.add("elected");
    }

    @Override
    public void deposed() {
      notes.add("deposed");
    }
  }

  @Test
  @DisplayName("u43 one leads at a time; the next leads when it goes, with a higher token")
  void leaderGoes() {
    try (Holdfast one = at(server.port());
        Holdfast two = at(server.port())) {
      Noting first = new Noting(() -> {});
      Noting second = new Noting(() -> {});
      Election.Candidacy leads = one.election("boss").stand(first);
      Await.until("one leads", LONG, leads::isLeader);
      try (Election.Candidacy waits = two.election("boss").stand(second)) {
        Await.until("the other waits", LONG, () -> two.health().waiting() == 1);
        assertThat(waits.isLeader()).isFalse();
        long gone = System.nanoTime();
        leads.close();
        Await.until("the other leads", LONG, waits::isLeader);
        Figure.since(gone, Duration.ofSeconds(1), "a leader gave up: the next leads");
        Await.until("both were told", LONG, () -> second.tokens.size() == 1);
        assertThat(leads.isLeader()).isFalse();
        assertThat(second.tokens.get(0)).isGreaterThan(first.tokens.get(0));
      }
      Await.until("both were told", LONG, () -> second.notes.size() == 2);
      assertThat(first.notes).containsExactly("elected", "deposed");
    }
  }

  @Test
  @DisplayName("u43 a leader that is cut off has stopped leading before the next begins")
  void leaderIsCutOff() {
    List<String> together = new CopyOnWriteArrayList<>();
    try (FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast one = at(proxy.port());
        Holdfast two = at(server.port())) {
      Noting first = new Noting(() -> {});
      try (Election.Candidacy cut = one.election("chief").stand(first)) {
        Await.until("one leads", LONG, cut::isLeader);
        Runnable look =
            () -> {
              if (cut.isLeader()) {
                together.add("both lead");
              }
            };
        Noting second = new Noting(look);
        Election.Candidacy next = two.election("chief").stand(second);
        Await.until("the other waits", LONG, () -> two.health().waiting() == 1);
        long from = System.nanoTime();
        proxy.blackHole();
        Await.until("the other leads", LONG, next::isLeader);
        Figure.since(from, Engines.LEASE.multipliedBy(2), "a leader was cut off: the next leads");
        Await.until("it was told", LONG, () -> first.notes.contains("deposed"));
        assertThat(together).isEmpty();
        proxy.heal();
        next.close();
        Await.until("the first leads again", LONG, cut::isLeader);
        Await.until("it was told", LONG, () -> first.tokens.size() == 2);
        assertThat(first.tokens.get(1)).isGreaterThan(second.tokens.get(0));
      }
    }
  }
}
