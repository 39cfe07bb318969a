package io.holdfast;

import java.time.Duration;

/** Until when a claim may be believed in. One thread confirms at a time; any may look. */
final class Belief {

  /*
   * Why no rival can get in while a claim is believed in: the store counts the lease from the
   * moment it executed the verb, which is after the verb was sent; the deadline counts from the
   * sending, is shorter by the drift and the margin, and is moved only by an answer to a verb of
   * this very ticket (or by what the engine was told of the session that the ticket lives with,
   * counted from when that was sent). So the deadline passes here before the lease ends there. A
   * grant that came by a signal was made after the last attempt was executed and counts from the
   * sending of that attempt: the same holds. It breaks when the clocks' rates differ by more than
   * the drift, when the store's clock steps forward, or when the store forgets.
   *
   * A suspended host stops the monotonic clock but not the wall clock. Each deadline is kept
   * together with how far the clocks were apart when its verb was sent, and remaining() subtracts
   * what they have moved apart since. So a suspension at any time after the sending counts, the
   * time of the answer's travel included, and a deadline that outlives an answer keeps its own
   * reading. A step of the wall clock costs belief until the next renewal, never safety. A
   * suspension that stops both clocks, as some hypervisors do, is not seen.
   */

  /**
   * What the store's last answer left.
   *
   * @param deadline until when it may be believed, on the monotonic clock
   * @param apart how far the clocks were apart when the verb was sent that the deadline counts from
   * @param endsAtStore when the lease has surely ended in the store, as far as clocks agree
   * @param answeredAt when the last answer came
   * @param ever whether there was an answer at all
   */
  private record Confirmed(
      long deadline, long apart, long endsAtStore, long answeredAt, boolean ever) {}

  private static final Confirmed NEVER = new Confirmed(0, 0, 0, 0, false);

  private final HostClocks clocks;
  private final Terms terms;

  // One object, so that nobody sees a deadline beside the clocks of another.
  private volatile Confirmed confirmed = NEVER;

  Belief(HostClocks clocks, Terms terms) {
    this.clocks = clocks;
    this.terms = terms;
  }

  long deadline() {
    return confirmed.deadline;
  }

  /** When the store's last answer came; what belief it leaves counts from its sending. */
  long confirmedAt() {
    return confirmed.answeredAt;
  }

  /** When the lease that was last confirmed has ended in the store, as far as clocks agree. */
  long endsAtStore() {
    return confirmed.endsAtStore;
  }

  /** The nanoseconds that are left at that time; not positive when belief has ended. */
  long remaining(long nanos) {
    return left(confirmed, nanos);
  }

  private long left(Confirmed of, long nanos) {
    long left = of.ever ? of.deadline - nanos : 0;
    if (left <= 0) {
      return left;
    }
    long jump = clocks.apart(nanos) - of.apart;
    return jump > terms.suspicion() ? left - jump : left;
  }

  /** Whether the clocks cast doubt that only an answer of the store can clear. */
  boolean isSuspect() {
    return clocks.apart(clocks.nanos()) - confirmed.apart > terms.suspicion();
  }

  /** The store has answered a verb of the ticket that was sent then. */
  void confirm(SendTime sent, Duration validFor) {
    long now = clocks.nanos();
    long valid = validFor.toNanos();
    Confirmed last = confirmed;
    Confirmed next =
        new Confirmed(sent.nanos() + terms.believable(valid), sent.apart(), now + valid, now, true);
    // A fixed lease can be extended to less than is left. As no renewal brings the end nearer, what
    // was believed before stays true: the deadline that leaves more counts, with its own clocks.
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
