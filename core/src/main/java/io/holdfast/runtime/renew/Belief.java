package io.holdfast.runtime.renew;

import java.time.Duration;

/** Until when a claim may be believed. One thread confirms at a time; any thread may read. */
public final class Belief {

  /*
   * Why no rival can get in while a claim is believed: the store counts the lease from the moment
   * it executed the verb, which is after the verb was sent. The deadline counts from the sending,
   * is shorter by the drift and the margin, and is moved only by a reply to a verb of this very
   * ticket (or by what the engine learned of the session that the ticket lives with, counted from
   * when that was sent). So the deadline passes here before the lease ends there. A grant that came
   * by a signal was made after the last attempt was executed and counts from the sending of that
   * attempt, so the same holds. It breaks when the clocks' rates differ by more than the drift,
   * when the store's clock steps forward, or when the store loses its data.
   *
   * A suspended host stops the monotonic clock but not the wall clock. Each deadline is kept
   * together with how far the clocks were apart when its verb was sent, and remaining() subtracts
   * what they have moved apart since, however little that is. With m and w for what the monotonic
   * clock and the wall clock have counted since the sending, and b for the belief,
   *
   *     believed  iff  m + max(0, w - m) < b  iff  max(m, w) < b,   b = valid - drift x valid - ...
   *
   * So the clock that counted more decides, and one that runs is enough. A suspension of any length
   * takes nothing of the margin: as long as the wall clock has counted at least (1 - drift) of what
   * the store's clock has, w >= b holds before the lease ends there, whatever m is. The same
   * inequality covers a wall clock that is slewed (0.05 % by ntpd): forward, it ends belief sooner by
   * as much; backward, m decides, unless the host was suspended, and then the slew is a difference of
   * rates, which the drift (at least 2 %) covers. Safety depends on no threshold.
   *
   * A suspension at any time after the sending counts, including the time until the reply, and a
   * deadline that outlives a reply keeps its own reading. A step of the wall clock forward costs
   * belief until the next renewal, never safety; a step back hides a suspension of the same length. A
   * suspension that stops both clocks, as some hypervisors do, is not noticed.
   */

  /**
   * What the store's last reply left.
   *
   * @param deadline until when the claim may be believed, on the monotonic clock
   * @param apart how far the clocks were apart when the verb was sent that the deadline counts from
   * @param endsAtStore when the lease has certainly ended in the store, as far as clocks agree
   * @param answeredAt when the last reply arrived
   * @param ever whether there was a reply at all
   */
  private record Confirmed(
      long deadline, long apart, long endsAtStore, long answeredAt, boolean ever) {}

  private static final Confirmed NEVER = new Confirmed(0, 0, 0, 0, false);

  private final HostClocks clocks;
  private final LeaseTerms terms;

  // One object, so that no reader combines a deadline with the clocks of another.
  private volatile Confirmed confirmed = NEVER;

  public Belief(HostClocks clocks, LeaseTerms terms) {
    this.clocks = clocks;
    this.terms = terms;
  }

  public long deadline() {
    return confirmed.deadline;
  }

  /**
   * Returns when the store's last reply arrived. The belief that it leaves counts from its sending.
   */
  public long confirmedAt() {
    return confirmed.answeredAt;
  }

  /** Returns when the last confirmed lease has ended in the store, as far as the clocks agree. */
  public long endsAtStore() {
    return confirmed.endsAtStore;
  }

  /**
   * Returns the remaining nanoseconds at the given time; zero or negative when belief has ended.
   */
  public long remaining(long nanos) {
    return left(confirmed, nanos);
  }

  private long left(Confirmed of, long nanos) {
    long left = of.ever ? of.deadline - nanos : 0;
    if (left <= 0) {
      return left;
    }
    // A wall clock that went back shows nothing, and must not prolong belief.
    return left - Math.max(0, clocks.apart(nanos) - of.apart);
  }

  /** Returns whether the clocks raise a doubt that only a reply of the store can clear. */
  public boolean isSuspect() {
    return clocks.apart(clocks.nanos()) - confirmed.apart > terms.suspicion();
  }

  /** Records a reply to a verb of the ticket that was sent at the given time. */
  public void confirm(SendTime sent, Duration validFor) {
    long now = clocks.nanos();
    long valid = validFor.toNanos();
    Confirmed last = confirmed;
    Confirmed next =
        new Confirmed(sent.nanos() + terms.believable(valid), sent.apart(), now + valid, now, true);
    // A fixed lease can be extended to less than is left. As no renewal brings the end nearer, the
    // earlier belief stays true: the deadline that leaves more counts, with its own clocks.
    boolean keeps = terms.fixed() && left(last, now) > Math.max(0, left(next, now));
    confirmed =
        keeps
            ? new Confirmed(
                last.deadline, last.apart, later(last.endsAtStore, next.endsAtStore), now, true)
            : next;
  }

  private static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }
}
