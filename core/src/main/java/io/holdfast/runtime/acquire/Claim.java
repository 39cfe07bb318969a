package io.holdfast.runtime.acquire;

import io.holdfast.HoldfastOptions;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldState;
import io.holdfast.runtime.renew.Belief;
import io.holdfast.runtime.renew.LeaseTerms;
import io.holdfast.runtime.renew.SendTime;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One ticket of this client: the verbs sent for it and their results.
 *
 * <p>Sends one verb at a time (rule 6 of the SPI); other verbs are queued here.
 */
public final class Claim {

  /**
   * The time for which a check renews a fixed lease. A renewal never shortens a lease, so a shorter
   * time than what is left changes nothing in the store.
   */
  private static final Duration FIXED_CHECK = HoldfastOptions.LEASE_FLOOR;

  private final Client client;
  private final LeaseTerms terms;
  private final Belief belief;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile Ticket ticket;
  private volatile long token;
  private volatile boolean wanted;
  private volatile boolean over;
  private volatile @Nullable HoldState holdState;

  /** The time of the last attempt; null before the first. */
  private volatile @Nullable SendTime asked;

  /** Whether an attempt got no reply: it may reach the store at any time. */
  private volatile boolean doubtful;

  /** Whether an attempt was executed, or may have been. */
  private volatile boolean reached;

  /** The verb under way; a lane may still give it back. */
  private volatile @Nullable Verb sent;

  /** Whether a check is queued. */
  private final AtomicBoolean checkQueued = new AtomicBoolean();

  private boolean busy;
  private @Nullable Deque<Runnable> pending;

  /** When the next renewal is due. Written by the scheduling thread, read by the renewals. */
  public volatile long renewAt;

  /** The number of consecutive renewals without a reply. */
  public volatile int failures;

  /** Why the last renewal failed; null after a confirmed one. */
  private volatile @Nullable EngineException trouble;

  /** The current entry in the heap of the renewals; older entries are stale. */
  public long scheduledFor;

  public Claim(Client client, LeaseTerms terms, Ticket ticket) {
    this.client = client;
    this.terms = terms;
    this.belief = new Belief(client.clocks(), terms);
    this.ticket = ticket;
  }

  public Ticket ticket() {
    return ticket;
  }

  public LeaseTerms terms() {
    return terms;
  }

  public long token() {
    return token;
  }

  public long deadline() {
    return belief.deadline();
  }

  /**
   * Returns when the store's last reply arrived. The belief that it leaves counts from its sending.
   */
  public long confirmedAt() {
    return belief.confirmedAt();
  }

  /** Returns when the last confirmed lease has ended in the store, as far as the clocks agree. */
  long endsAtStore() {
    return belief.endsAtStore();
  }

  /** Returns whether the last reply said that another client waits. */
  boolean wanted() {
    return wanted;
  }

  public boolean isOver() {
    return over;
  }

  public @Nullable HoldState holdState() {
    return holdState;
  }

  public void heldBy(HoldState holder) {
    holdState = holder;
  }

  /**
   * Returns how long the claim may be believed, in nanoseconds; zero or negative when it may not.
   */
  public long remaining() {
    return remaining(client.world().nanoTime());
  }

  long remaining(long mono) {
    return belief.remaining(mono);
  }

  public boolean believes() {
    return !over && remaining() > 0;
  }

  /** Returns whether the clocks raise a doubt that only a reply of the store can clear. */
  public boolean isSuspect() {
    return belief.isSuspect();
  }

  void attempt(AttemptListener asker) {
    inTurn(
        () -> {
          if (over) {
            // The caller has left meanwhile: an attempt behind the leave would join without a
            // caller.
            finished();
          } else {
            sendAttempt(ticket, asker::signal, asker);
          }
        });
  }

  /** Returns whether no attempt was sent since the given one. */
  boolean wasLast(SendTime sent) {
    return sent == asked;
  }

  /** Returns whether an attempt got no reply and may still be executed. */
  boolean isDoubtful() {
    return doubtful;
  }

  /** Returns whether the store certainly has nothing of this claim and nothing is on its way. */
  boolean isSurelyAbsent() {
    turn.lock();
    try {
      return !reached && (!busy || sent instanceof Verb.Leave);
    } finally {
      turn.unlock();
    }
  }

  /** Records a grant that a signal reported for the attempt sent at the given time. */
  void believe(Standing.Granted granted, SendTime attempt) {
    token = granted.token();
    confirm(attempt, granted.validFor(), granted.wanted());
  }

  /** Shrinks the weight of the claim in place. */
  public void shrink(int weight, Verb.Answer<Standing> answer) {
    inTurn(
        () -> {
          Ticket smaller = ticket.withWeight(weight);
          sendAttempt(smaller, at -> () -> {}, new Shrunk(smaller, answer));
        });
  }

  /** Sends a renewal and returns true, unless another verb is under way or the claim is over. */
  public boolean renew(Verb.Answer<Renewal> answer) {
    turn.lock();
    try {
      if (busy || over) {
        return false;
      }
      busy = true;
    } finally {
      turn.unlock();
    }
    sendRenew(ticket, answer);
    return true;
  }

  /**
   * Asks the store, after the verb under way, whether the ticket is still granted. Calls that
   * arrive before the request is sent share it.
   */
  public void check(Verb.Answer<Renewal> answer) {
    if (!checkQueued.compareAndSet(false, true)) {
      return;
    }
    inTurn(
        () -> {
          // Cleared before sending: a change reported from here on needs another check.
          checkQueued.set(false);
          boolean isShort = terms.fixed() && remaining() < FIXED_CHECK.toNanos();
          if (over || isShort) {
            // A check must not prolong a fixed lease, and this one is about to end anyway.
            finished();
          } else {
            sendRenew(terms.fixed() ? ticket.withLease(FIXED_CHECK) : ticket, answer);
          }
        });
  }

  /** Renews for another time than the ticket's lease. */
  public void extend(Duration lease, Verb.Answer<Renewal> answer) {
    inTurn(() -> sendRenew(ticket.withLease(lease), answer));
  }

  /** Ends the claim in the store. From here on it is over, and no renewal is sent. */
  void leave(Verb.Answer<Left> answer) {
    over = true;
    // In this order: a client that closes sees the claim as held or as leaving.
    Verb.Answer<Left> counted = client.leaver().counted(answer);
    client.renewals().remove(this);
    inTurn(() -> submit(new Verb.Leave(ticket, doubtful, finishing(counted))));
  }

  /** Replaces the claim by a mark, or leaves it to the store. From here on the claim is over. */
  public void settle(Duration keep, Verb.Answer<Boolean> answer) {
    over = true;
    inTurn(() -> submit(new Verb.Settle(ticket, keep, finishing(answer))));
  }

  /** Ends belief; returns false when it had ended before. */
  boolean end() {
    turn.lock();
    try {
      boolean first = !over;
      over = true;
      return first;
    } finally {
      turn.unlock();
    }
  }

  /**
   * Takes back the verb that is queued for a lane, if there is one; it never reaches the store
   * then.
   */
  boolean withdraw() {
    turn.lock();
    try {
      Verb waiting = sent;
      boolean withdrawn = waiting != null && client.lane().withdraw(waiting);
      if (withdrawn) {
        sent = null;
        busy = false;
      }
      return withdrawn;
    } finally {
      turn.unlock();
    }
  }

  private void sendAttempt(Ticket as, Function<SendTime, Wake> wake, Verb.Answer<Standing> answer) {
    SendTime sending = client.clocks().sending();
    asked = sending;
    submit(
        new Verb.Attempt(
            as,
            wake.apply(sending),
            new Verb.Answer<>() {
              @Override
              public void answered(Standing standing) {
                reached = true;
                if (standing instanceof Standing.Granted granted) {
                  token = granted.token();
                  confirm(sending, granted.validFor(), granted.wanted());
                }
                finished();
                answer.answered(standing);
              }

              @Override
              public void failed(EngineException failure) {
                doubt(failure);
                finished();
                answer.failed(failure);
              }
            }));
  }

  private void sendRenew(Ticket as, Verb.Answer<Renewal> answer) {
    SendTime sending = client.clocks().sending();
    submit(
        new Verb.Renew(
            as,
            new Verb.Answer<>() {
              @Override
              public void answered(Renewal renewal) {
                if (renewal instanceof Renewal.Renewed renewed) {
                  confirm(sending, renewed.validFor(), renewed.wanted());
                }
                finished();
                answer.answered(renewal);
              }

              @Override
              public void failed(EngineException failure) {
                trouble = failure;
                finished();
                answer.failed(failure);
              }
            }));
  }

  /** Returns why the claim is lost when its deadline has passed, for example missing rights. */
  public String whyExpired() {
    EngineException last = trouble;
    return "no renewal was confirmed in time" + (last == null ? "" : ": " + last.getMessage());
  }

  private void confirm(SendTime at, Duration validFor, boolean isWanted) {
    belief.confirm(at, validFor);
    wanted = isWanted;
    failures = 0;
    trouble = null;
  }

  private void doubt(EngineException failure) {
    if (failure instanceof EngineException.Unknown) {
      doubtful = true;
    }
    if (!(failure instanceof EngineException.NotDone)) {
      reached = true;
    }
  }

  private <T> Verb.Answer<T> finishing(Verb.Answer<T> answer) {
    return new Verb.Answer<>() {
      @Override
      public void answered(T value) {
        finished();
        answer.answered(value);
      }

      @Override
      public void failed(EngineException failure) {
        finished();
        answer.failed(failure);
      }
    };
  }

  private void submit(Verb verb) {
    sent = verb;
    client.lane().submit(verb);
  }

  private void inTurn(Runnable send) {
    turn.lock();
    try {
      if (busy) {
        if (pending == null) {
          pending = new ArrayDeque<>(2);
        }
        pending.add(send);
        return;
      }
      busy = true;
    } finally {
      turn.unlock();
    }
    send.run();
  }

  private void finished() {
    Runnable next;
    turn.lock();
    try {
      sent = null;
      next = pending == null ? null : pending.poll();
      busy = next != null;
    } finally {
      turn.unlock();
    }
    if (next != null) {
      next.run();
    }
  }

  /** Records the smaller weight once the store has confirmed it. */
  private final class Shrunk implements Verb.Answer<Standing> {
    private final Ticket smaller;
    private final Verb.Answer<Standing> answer;

    Shrunk(Ticket smaller, Verb.Answer<Standing> answer) {
      this.smaller = smaller;
      this.answer = answer;
    }

    @Override
    public void answered(Standing standing) {
      if (standing instanceof Standing.Granted) {
        ticket = smaller;
      }
      answer.answered(standing);
    }

    @Override
    public void failed(EngineException failure) {
      answer.failed(failure);
    }
  }
}
