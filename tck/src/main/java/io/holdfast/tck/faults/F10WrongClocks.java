package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Outcome;
import io.holdfast.spi.Order;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Clients whose wall clocks are hours apart, and jump. */
final class F10WrongClocks {

  private static final int SECTIONS = 20;

  /** On a busy machine; one that expired says nothing about others. */
  private static final int MOST_EXPIRED = SECTIONS / 4;

  private static final int TRIES = 3;

  private final FaultFixture fixture;
  private final Order order;
  private final Queue<Section> sections = new ConcurrentLinkedQueue<>();

  /** One stay of a client. */
  private record Section(long token, long from, long until, boolean expired) {}

  private F10WrongClocks(FaultFixture fixture) {
    this.fixture = fixture;
    this.order = fixture.anyOrder();
  }

  static void play(FaultFixture fixture) throws Exception {
    new F10WrongClocks(fixture).play();
  }

  private void play() throws Exception {
    FaultClient ahead = fixture.start("ahead", Ability.CLOCK, Ability.KILL);
    FaultClient behind = fixture.start("behind", Ability.CLOCK);
    LocalFaultClient right = fixture.open();
    ahead.stepClock(Duration.ofHours(1));
    behind.stepClock(Duration.ofHours(-1));
    List<FaultFixture.Part> parts = new ArrayList<>();
    for (FaultClient client : List.of(behind, right)) {
      parts.add(() -> sections(client, SECTIONS));
    }
    parts.add(() -> sectionsWithSteps(ahead));
    fixture.together(parts);
    checkSections();
    steps(ahead);
    lengthOfLease(ahead, behind);
  }

  /** Its clock jumps back and forward again while clients hand the lock to and fro. */
  private void sectionsWithSteps(FaultClient client) throws Exception {
    sections(client, SECTIONS / 3);
    client.stepClock(Duration.ofHours(-3));
    sections(client, SECTIONS / 3);
    client.stepClock(Duration.ofHours(3));
    sections(client, SECTIONS - 2 * (SECTIONS / 3));
  }

  private void sections(FaultClient client, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      FaultClaim claim = fixture.take(client, "shared", order);
      FaultClaim.Grant grant = claim.granted().join();
      long leaving = fixture.now();
      Outcome outcome = claim.release();
      boolean expired =
          outcome == Outcome.UNKNOWN || (outcome == Outcome.LOST && claim.hasExpired());
      if (!expired) {
        assertThat(outcome).as("release of a section").isEqualTo(Outcome.RELEASED);
      }
      sections.add(new Section(grant.token(), grant.nanos(), leaving, expired));
    }
  }

  /** In the order of their tokens, no section begins before the one before has ended. */
  private void checkSections() {
    List<Section> inOrder = new ArrayList<>(sections);
    inOrder.sort(Comparator.comparingLong(Section::token));
    for (int i = 1; i < inOrder.size(); i++) {
      Section before = inOrder.get(i - 1);
      Section after = inOrder.get(i);
      assertThat(after.token).as("the token of a later section").isGreaterThan(before.token);
      if (!before.expired) {
        assertThat(after.from - before.until)
            .as("begin of a section after the end of the one before, in ns")
            .isNotNegative();
      }
    }
    long expired = inOrder.stream().filter(Section::expired).count();
    fixture.figure(
        inOrder.size()
            + " sections of clients whose clocks are 2 h apart, none beside another, "
            + expired
            + " expired");
    if (expired > MOST_EXPIRED) {
      throw new TooLateError(expired + " sections have expired");
    }
  }

  /**
   * A jump looks like a suspended host: it may cost one renewal, never the hold. On a busy machine
   * the next renewal may be too late as well, but hardly each time.
   */
  private void steps(FaultClient holder) throws Exception {
    for (int i = 0; i < TRIES; i++) {
      FaultClaim held = fixture.take(holder, "stepped/" + i, order);
      for (int hours : new int[] {2, -5, 3}) {
        holder.stepClock(Duration.ofHours(hours));
        fixture.pass(fixture.lease().dividedBy(3));
        // Else each of the jumps could cost a renewal, and all of them together the hold.
        fixture.until(
            "a renewal after the jump",
            fixture.lease(),
            () -> !held.isHeld() || held.remaining().compareTo(fixture.lease().dividedBy(2)) > 0);
      }
      if (held.isHeld() || !held.hasExpired()) {
        fixture.release("a hold of a client whose clock jumps", held);
        assertThat(held.losses()).isEmpty();
        return;
      }
      fixture.figure("a hold of a client whose clock jumps has expired, try " + (i + 1));
    }
    throw new TooLateError("a hold of a client whose clock jumps has expired each time");
  }

  private void lengthOfLease(FaultClient holder, FaultClient next) throws Exception {
    fixture.take(holder, "dies", order);
    FaultClaim waits = next.acquire("dies", order, FaultFixture.LONG);
    fixture.pass(Duration.ofMillis(200));
    assertThat(waits.granted())
        .as("a second grant, while the clock of the holder is ahead")
        .isNotDone();
    long killed = fixture.now();
    holder.kill();
    fixture.grantedWithin(
        "holder with a clock 2 h ahead killed: next grant", waits, killed, fixture.leaseAtMost());
    fixture.release("the next hold", waits);
  }
}
