package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Election.Candidacy;
import io.holdfast.Election.Candidate;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.EtcdCluster;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** U43: elections on a cluster whose own leader goes. */
@Isolated
@Timeout(180)
class U43ElectionIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofSeconds(4);

  /** What each candidate was told, in order. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  private final List<Long> tokens = new CopyOnWriteArrayList<>();

  @Test
  @DisplayName("one leads at a time, through resignations and the end of the cluster's leader")
  void oneLeads() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger most = new AtomicInteger();
    List<Candidacy> candidates = new ArrayList<>();
    try (EtcdCluster cluster = EtcdCluster.start();
        Holdfast a = connect(cluster, 0);
        Holdfast b = connect(cluster, 1);
        Holdfast c = connect(cluster, 2)) {
      candidates.add(a.election("chief").stand(new Noting("a")));
      candidates.add(b.election("chief").stand(new Noting("b")));
      candidates.add(c.election("chief").stand(new Noting("c")));
      Thread watcher = new Thread(() -> watch(candidates, most, stop), "watcher");
      watcher.start();

      leader(candidates).resign();
      Candidacy second = leader(candidates);
      int gone = cluster.leader();
      long killed = cluster.member(gone).process().kill9();
      Await.until("somebody leads", LONG, () -> leads(candidates) == 1);
      Figure.since(killed, LEASE.plusSeconds(2), "the cluster's leader killed: somebody leads");
      second.resign();
      leader(candidates);

      candidates.forEach(Candidacy::close);
      Await.until("all were told", LONG, () -> told.size() == 2 * tokens.size());
      stop.set(true);
      watcher.join();
    }
    assertThat(most).as("leaders at one time").hasValueLessThanOrEqualTo(1);
    assertThat(tokens).hasSizeGreaterThanOrEqualTo(2).isSorted().doesNotHaveDuplicates();
    for (String name : List.of("a", "b", "c")) {
      List<String> own = told.stream().filter(word -> word.startsWith(name)).toList();
      for (int i = 0; i < own.size(); i++) {
        assertThat(own.get(i)).isEqualTo(name + (i % 2 == 0 ? " elected" : " deposed"));
      }
    }
    Figure.print("elections: %d terms, told %s", tokens.size(), told);
  }

  private static Holdfast connect(EtcdCluster cluster, int first) {
    return Holdfast.connect(cluster.uriFrom(first) + "?holdfast.lease=4s");
  }

  private static long leads(List<Candidacy> candidates) {
    return candidates.stream().filter(Candidacy::isLeader).count();
  }

  private static Candidacy leader(List<Candidacy> candidates) {
    Await.until("a leader", LONG, () -> leads(candidates) == 1);
    return candidates.stream().filter(Candidacy::isLeader).findFirst().orElse(candidates.get(0));
  }

  /** Asks the first again after the last, so that a change in between is not taken for two. */
  private static void watch(List<Candidacy> candidates, AtomicInteger most, AtomicBoolean stop) {
    while (!stop.get()) {
      for (Candidacy one : candidates) {
        Hold before = one.leadership().orElse(null);
        long others = candidates.stream().filter(c -> c != one && c.isLeader()).count();
        boolean still = before != null && before.isHeld();
        most.accumulateAndGet((int) (still ? others + 1 : 0), Math::max);
      }
      Thread.onSpinWait();
    }
  }

  private final class Noting implements Candidate {
    private final String name;

    Noting(String name) {
      this.name = name;
    }

    @Override
    public void elected(Hold leadership) {
      tokens.add(leadership.token());
      told.add(name + " elected");
    }

    @Override
    public void deposed() {
      told.add(name + " deposed");
    }
  }
}
