package io.holdfast;

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
 * One ticket of this client: what is asked of the store for it, and what came of it.
 *
 * <p>Sends one verb at a time (rule 6 of the SPI): others wait their turn here.
 */
final class Claim {

  /**
   * What a look at a fixed lease renews it for. A renewal never shortens a lease, so one for less
   * than is left changes nothing in the store.
   */
  private static final Duration FIXED_CHECK = HoldfastOptions.LEASE_FLOOR;

  private final Client client;
  private final Terms terms;
  private final Belief belief;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile Ticket ticket;
  private volatile long token;
  private volatile boolean wanted;
  private volatile boolean over;
  private volatile @Nullable Tenure tenure;

  /** When the last attempt was sent, if one was. */
  private volatile @Nullable SendTime asked;

  /** Whether an attempt had no answer: it may reach the store at any time. */
  private volatile boolean doubtful;

  /** Whether an attempt was executed, or may have been. */
  private volatile boolean reached;

  /** The verb under way; a lane may still let go of it. */
  private volatile @Nullable Verb sent;

  /** Whether a check waits for its turn. */
  private final AtomicBoolean checkQueued = new AtomicBoolean();

  private boolean busy;
  private @Nullable Deque<Runnable> pending;

  /** When the next renewal is due; written by whoever schedules it, read by the renewals. */
  volatile long renewAt;

  /** Renewals in a row without an answer. */
  volatile int failures;

  /** Why the last renewal failed; none after one that was confirmed. */
  private volatile @Nullable EngineException trouble;

  /** The entry of the renewals' heap that counts; older ones are stale. */
  long scheduledFor;

  Claim(Client client, Terms terms, Ticket ticket) {
    this.client = client;
    this.terms = terms;
    this.belief = new Belief(client.clocks(), terms);
    this.ticket = ticket;
  }

  Ticket ticket() {
    return ticket;
  }

  Terms terms() {
    return terms;
  }

  long token() {
    return token;
  }

  long deadline() {
    return belief.deadline();
  }

  /** When the store's last answer came; what belief it leaves counts from its sending. */
  long confirmedAt() {
    return belief.confirmedAt();
  }

  /** When the lease that was last confirmed has ended in the store, as far as clocks agree. */
  long endsAtStore() {
    return belief.endsAtStore();
  }

  /** Whether the last answer said that another waits. */
  boolean wanted() {
    return wanted;
  }

  boolean isOver() {
    return over;
  }

  @Nullable Tenure tenure() {
    return tenure;
  }

  void heldBy(Tenure holder) {
    tenure = holder;
  }

  /** How long the claim may be believed in, in nanoseconds; not positive when not at all. */
  long remaining() {
    return remaining(client.world().nanoTime());
  }

  long remaining(long mono) {
    return belief.remaining(mono);
  }

  boolean believes() {
    return !over && remaining() > 0;
  }

  /** Whether the clocks cast doubt that only an answer of the store can clear. */
  boolean isSuspect() {
    return belief.isSuspect();
  }

  void attempt(Asker asker) {
    inTurn(
        () -> {
          if (over) {
            // Whoever asked has left meanwhile: an attempt behind the leave would join for nobody.
            finished();
          } else {
            sendAttempt(ticket, asker::signal, asker);
          }
        });
  }

  /** Whether no attempt was sent since that one. */
  boolean wasLast(SendTime sent) {
    return sent == asked;
  }

  /** Whether an attempt stayed without an answer: it may be executed yet. */
  boolean isDoubtful() {
    return doubtful;
  }

  /** Whether it is certain that the store has nothing of it, and that nothing is on its way. */
  boolean isSurelyAbsent() {
    turn.lock();
    try {
      return !reached && (!busy || sent instanceof Verb.Leave);
    } finally {
      turn.unlock();
    }
  }

  /** The store let the ticket in after the attempt that was sent then, and said so by a signal. */
  void believe(Standing.Granted granted, SendTime attempt) {
    token = granted.token();
    confirm(attempt, granted.validFor(), granted.wanted());
  }

  /** Takes less than before, in place. */
  void shrink(int weight, Verb.Answer<Standing> answer) {
    inTurn(
        () -> {
          Ticket smaller = ticket.withWeight(weight);
          sendAttempt(smaller, at -> () -> {}, new Shrunk(smaller, answer));
        });
  }

  /** Renews unless another verb is under way or the claim is over; answers whether it was sent. */
  boolean renew(Verb.Answer<Renewal> answer) {
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
   * Asks the store, behind the verb under way, whether the ticket is still in. Calls that come
   * before the request was sent share it.
   */
  void check(Verb.Answer<Renewal> answer) {
    if (!checkQueued.compareAndSet(false, true)) {
      return;
    }
    inTurn(
        () -> {
          // Cleared before sending: a change that is reported from here on needs another look.
          checkQueued.set(false);
          boolean isShort = terms.fixed() && remaining() < FIXED_CHECK.toNanos();
          if (over || isShort) {
            // A fixed lease must not be prolonged by a look, and this one is about to end anyway.
            finished();
          } else {
            sendRenew(terms.fixed() ? ticket.withLease(FIXED_CHECK) : ticket, answer);
          }
        });
  }

  /** Renews for another time than the ticket's. */
  void extend(Duration lease, Verb.Answer<Renewal> answer) {
    inTurn(() -> sendRenew(ticket.withLease(lease), answer));
  }

  /** Ends the claim in the store; from here on it is over, and no renewal is sent any more. */
  void leave(Verb.Answer<Left> answer) {
    over = true;
    Verb.Answer<Left> counted = client.leaver().counted(answer);
    inTurn(() -> submit(new Verb.Leave(ticket, doubtful, finishing(counted))));
  }

  /** Leaves a mark in place of the claim, which is over from here on. */
  void settle(Duration keep, Verb.Answer<Boolean> answer) {
    over = true;
    inTurn(() -> submit(new Verb.Settle(ticket, keep, finishing(answer))));
  }

  /** Ends belief; answers false when it had ended before. */
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

  /** Takes back the verb that waits for a lane, if one does; then it never reaches the store. */
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

  /** Why it is lost when its deadline has passed, for people: rights that are gone, for example. */
  String whyExpired() {
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

  /** Remembers the smaller weight once the store has it. */
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
