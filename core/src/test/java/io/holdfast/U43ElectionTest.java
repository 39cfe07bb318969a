package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.acquire.HandOverPolicy;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.primitive.MutexCandidacy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U43. One leader at a time: it has stopped leading before another can begin. */
@Timeout(60)
class U43ElectionTest {

  private final HoldScene scene = new HoldScene();
  private final Holdfast holdfast = open(scene.engine);
  private final ScriptedEngine rivalsEngine = scene.engine.rival();
  private final Holdfast rival = open(rivalsEngine);
  private final List<String> log = new ArrayList<>();
  private final Logs quiet = new Logs();

  private Holdfast open(ScriptedEngine engine) {
    return Holdfast.open(engine, HoldfastOptions.DEFAULTS, scene.world);
  }

  @AfterEach
  void listenAgain() {
    quiet.close();
  }

  /** Records the calls that it gets. */
  private final class Noting implements Election.Candidate {
    private final String name;
    private final Consumer<Hold> work;

    Noting(String name, Consumer<Hold> work) {
      this.name = name;
      this.work = work;
    }

    @Override
    public void elected(Hold leadership) {
      log.add(name + " elected");
      work.accept(leadership);
    }

    @Override
    public void deposed() {
      log.add(name + " deposed");
    }
  }

  private Election.Candidacy stand(Holdfast client, String name) {
    Election.Candidacy candidacy = client.election("boss").stand(new Noting(name, hold -> {}));
    scene.world.runCallbacks();
    return candidacy;
  }

  @Test
  void theFirstLeadsUntilItResignsAndThenTheOther() {
    Election.Candidacy one = stand(holdfast, "one");
    Election.Candidacy two = stand(rival, "two");
    assertThat(one.isLeader()).isTrue();
    assertThat(two.isLeader()).isFalse();
    assertThat(two.leadership()).isEmpty();
    long token = one.leadership().map(Hold::token).orElseThrow();
    scene.world.advance(Duration.ofMinutes(10));
    assertThat(one.isLeader()).isTrue();
    one.resign();
    assertThat(one.isLeader()).isFalse();
    scene.world.advanceMillis(10);
    assertThat(two.isLeader()).isTrue();
    assertThat(two.leadership().map(Hold::token).orElseThrow()).isGreaterThan(token);
    assertThat(log).containsExactly("one elected", "one deposed", "two elected");
  }

  @Test
  void aLeaderThatIsCutOffStopsLeadingBeforeTheOtherBegins() {
    Election.Candidacy one = stand(holdfast, "one");
    Election.Candidacy two = stand(rival, "two");
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    for (int i = 0; i < 40_000 && !two.isLeader(); i++) {
      scene.world.advanceMillis(1);
      assertThat(one.isLeader() && two.isLeader()).isFalse();
    }
    assertThat(two.isLeader()).isTrue();
    assertThat(scene.world.elapsed()).isLessThanOrEqualTo(Duration.ofSeconds(31));
    assertThat(log).containsExactly("one elected", "one deposed", "two elected");
  }

  @Test
  void whetherItLeadsDoesNotDependOnCallbacks() {
    Election.Candidacy one = stand(holdfast, "one");
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    scene.world.pass(HoldScene.BELIEVED);
    assertThat(one.isLeader()).isFalse();
    assertThat(one.leadership()).isEmpty();
    assertThat(log).containsExactly("one elected");
  }

  @Test
  void anExceptionInElectedGivesLeadershipUp() {
    Election.Candidacy one =
        holdfast
            .election("boss")
            .stand(
                new Noting(
                    "one",
                    hold -> {
                      throw new IllegalStateException("cannot lead");
                    }));
    Election.Candidacy two = stand(rival, "two");
    scene.world.advanceMillis(10);
    assertThat(one.isLeader()).isFalse();
    assertThat(two.isLeader()).isTrue();
    assertThat(log).containsExactly("one elected", "one deposed", "two elected");
    assertThat(quiet.with("cannot lead")).hasSize(1);
  }

  @Test
  void afterALossACandidateWaitsAWhileLongerEachTimeAndStandsAgain() {
    stand(holdfast, "one");
    List<Duration> elected = new ArrayList<>();
    Election.Candidacy failing =
        rival
            .election("other")
            .stand(
                leadership -> {
                  elected.add(scene.world.elapsed());
                  throw new IllegalStateException("again and again");
                });
    scene.world.advance(Duration.ofMinutes(2));
    assertThat(elected).hasSizeBetween(20, 60);
    long[] millis = {250, 500, 1_000, 2_000, 4_000, 5_000, 5_000};
    for (int i = 0; i < millis.length; i++) {
      assertThat(elected.get(i + 1).minus(elected.get(i)))
          .as("pause %d", i)
          .isBetween(Duration.ofMillis(millis[i] * 8 / 10), Duration.ofMillis(millis[i] * 12 / 10));
    }
    assertThat(failing.isLeader()).isFalse();
  }

  @Test
  void afterAnOutageSomeoneLeadsAgainWithoutARestart() {
    Election.Candidacy one = stand(holdfast, "one");
    Election.Candidacy two = stand(rival, "two");
    ScriptedEngine.Rule first = scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    ScriptedEngine.Rule second =
        rivalsEngine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    scene.world.advance(Duration.ofMinutes(5));
    assertThat(one.isLeader() || two.isLeader()).isFalse();
    first.end();
    second.end();
    scene.world.advance(Duration.ofSeconds(40));
    assertThat(one.isLeader() ^ two.isLeader()).isTrue();
  }

  @Test
  void aCandidateThatMeetsAnOverloadStandsAgainLater() {
    TestWorld world = scene.world;
    ScriptedEngine engine = ScriptedEngine.on(world);
    ManualLane lane = new ManualLane(engine);
    Client client =
        new Client(
            engine, HoldfastOptions.DEFAULTS, world, lane, new HandOverPolicy(engine.traits()));
    DistributedLock lock = Primitive.ANY.of(client.view(client.options()), "boss");
    lane.whenAskedForRoom(
        () -> {
          throw new OverloadedException("too much", null);
        });
    MutexCandidacy candidacy = new MutexCandidacy(client, lock, new Noting("one", hold -> {}));
    candidacy.stand();
    for (int i = 0; i < 100; i++) {
      world.advanceMillis(50);
      lane.runDry();
    }
    world.runCallbacks();
    assertThat(candidacy.isLeader()).isTrue();
  }

  @Test
  void aClosedCandidacyLeavesTheLineAndStandsNoMore() {
    Election.Candidacy one = stand(holdfast, "one");
    Election.Candidacy two = stand(rival, "two");
    two.close();
    one.close();
    scene.world.advance(Duration.ofMinutes(1));
    assertThat(one.isLeader() || two.isLeader()).isFalse();
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(log).containsExactly("one elected", "one deposed");
    one.close();
    one.resign();
  }

  @Test
  void callbacksOfOneCandidacyNeverOverlapAndComeInPairs() {
    Election.Candidacy one = stand(holdfast, "one");
    for (int i = 0; i < 20; i++) {
      one.resign();
      scene.world.advance(Duration.ofSeconds(7));
      assertThat(one.isLeader()).isTrue();
    }
    assertThat(log).hasSize(41);
    for (int i = 0; i < log.size(); i++) {
      assertThat(log.get(i)).isEqualTo(i % 2 == 0 ? "one elected" : "one deposed");
    }
  }

  @Test
  void theLeadersHoldHasTheTokenThatGuardsAsk() {
    List<Hold> holds = new ArrayList<>();
    Election.Candidacy one = holdfast.election("boss").stand(holds::add);
    scene.world.runCallbacks();
    Optional<Hold> leadership = one.leadership();
    assertThat(leadership).contains(holds.get(0));
    assertThat(holds.get(0).token()).isPositive();
    holds.get(0).release();
    scene.world.runCallbacks();
    assertThat(one.isLeader()).isFalse();
  }

  @Test
  void aLeaderThatReleasesItsHoldItselfStandsAgainLater() {
    List<Hold> holds = new ArrayList<>();
    Election.Candidacy one = holdfast.election("boss").stand(holds::add);
    scene.world.runCallbacks();
    holds.get(0).release();
    scene.world.advance(Duration.ofMinutes(1));
    assertThat(one.isLeader()).isTrue();
    assertThat(holds).hasSize(2);
  }
}
