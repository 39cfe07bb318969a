package io.holdfast;

import java.time.Duration;

/** Until when a claim may be believed in. One thread confirms at a time; any may look. */
final class Belief {

  /*
   * Why no rival can get in while a claim is believed in: the store counts the lease from the
   * moment it executed the verb, which is after sentAt; the deadline counts from sentAt, is shorter
   * by the drift and the margin, and is moved only by an answer to a verb of this very ticket (or
   * by what the engine was told of the session that the ticket lives with, counted from when that
   * was sent). So the deadline passes here before the lease ends there. A grant that came by a
   * signal was made after the last attempt was executed and counts from its sentAt: the same holds.
   * It breaks when the clocks' rates differ by more than the drift, when the store's clock steps
   * forward, or when the store forgets.
   *
   * A suspended host stops the monotonic clock but not the wall clock: remaining() compares both
   * with what they were when the verb was sent that the store answered last, and takes the longer
   * time when they differ too much. So a host that slept while the answer was on its way is noticed
   * too. A step of the wall clock costs belief until the next renewal, never safety.
   */

  private final Client client;
  private final Terms terms;
  private volatile long deadline;
  private volatile long endsAtStore;
  private volatile long anchor;
  private volatile long sentAnchor;
  private volatile long confirmedAt;
  private boolean known;

  Belief(Client client, Terms terms) {
    this.client = client;
    this.terms = terms;
  }

  long deadline() {
    return deadline;
  }

  /** When the store's last answer came; what belief it leaves counts from its sending. */
  long confirmedAt() {
    return confirmedAt;
  }

  /** When the lease that was last confirmed has ended in the store, as far as clocks agree. */
  long endsAtStore() {
    return endsAtStore;
  }

  /** The nanoseconds that are left at that time; not positive when belief has ended. */
  long remaining(long mono) {
    long left = deadline - mono;
    if (left <= 0) {
      return left;
    }
    long jump = client.wallNanos() - mono - anchor;
    return jump > terms.suspicion() ? left - jump : left;
  }

  /** Whether the clocks cast doubt that only an answer of the store can clear. */
  boolean isSuspect() {
    return client.wallNanos() - client.world().nanoTime() - anchor > terms.suspicion();
  }

  /** A verb of the ticket is about to be sent; answers when, for {@link #confirm}. */
  long sending() {
    // The wall clock is read first: a suspension between the two is then seen.
    long wall = client.wallNanos();
    long now = client.world().nanoTime();
    sentAnchor = wall - now;
    return now;
  }

  /** The store has answered the verb of the ticket that was sent last, at that time. */
  void confirm(long sentAt, Duration validFor) {
    long now = client.world().nanoTime();
    anchor = sentAnchor;
    confirmedAt = now;
    long until = sentAt + terms.believable(validFor.toNanos());
    // A fixed lease can be extended to less than is left. As no renewal brings the end nearer, what
    // was believed before stays true.
    boolean longer = terms.fixed() && known && deadline - until > 0;
    known = true;
    if (!longer) {
      endsAtStore = now + validFor.toNanos();
      deadline = until;
    }
  }
}
