package io.holdfast.server.http;

import io.holdfast.World;
import io.holdfast.server.security.Call;
import io.holdfast.server.security.Refusal;
import io.holdfast.server.verbs.RejectedException;
import io.holdfast.server.verbs.VerbService;
import io.holdfast.server.verbs.VerbService.Signals;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request to acquire: attempts with the same ticket until it is granted or the time is up.
 *
 * <p>It ends before its client gives up, so that the client learns its ticket and keeps its place.
 */
final class LongPoll {

  /** Shorter than a third of the shortest lease: each attempt is the waiter's sign of life. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /** Clocks of two machines may run at different rates. */
  private static final int DRIFT_DIVISOR = 50;

  private final VerbService verbs;
  private final World world;
  private final Exchange exchange;
  private final Ticket ticket;
  private final String sealed;
  private final boolean isOurs;
  private final long start;
  private final long end;
  private final Duration limit;
  private final Object lock = new Object();

  /** Signals come on threads that must not do the work of an attempt. */
  private final Wake wake = this::attemptAgain;

  private boolean isAsking;
  private boolean isWoken;
  private boolean isOver;
  private int pauses;
  private long attemptedAt;
  private Standing.@Nullable Waiting last;

  /**
   * Creates it.
   *
   * @param isOurs whether this request has made the ticket, so that no other request can know it
   * @param wait after which time no further attempt is made
   * @param limit when a reply is due even if the store has not replied; zero means no limit
   */
  LongPoll(
      VerbService verbs,
      World world,
      Exchange exchange,
      Ticket ticket,
      String sealed,
      boolean isOurs,
      Duration wait,
      Duration limit) {
    this.verbs = verbs;
    this.world = world;
    this.exchange = exchange;
    this.ticket = ticket;
    this.sealed = sealed;
    this.isOurs = isOurs;
    this.start = world.nanoTime();
    this.end = start + wait.toNanos();
    this.limit = limit;
  }

  void begin() {
    if (!limit.isZero()) {
      world.schedule(limit.toNanos(), () -> world.callbacks().execute(this::timeIsUp));
    }
    attempt();
  }

  /** The client is about to give up. With the ticket it can go on, or release. */
  private void timeIsUp() {
    Standing.Waiting known;
    synchronized (lock) {
      if (isOver) {
        return;
      }
      isOver = true;
      known = last;
    }
    if (known != null) {
      waiting(known);
    } else {
      failed(new EngineException.Unknown("no reply from " + verbs.engine().traits().store(), null));
    }
  }

  private void attempt() {
    synchronized (lock) {
      if (isOver) {
        return;
      }
      if (isAsking) {
        isWoken = true;
        return;
      }
      isAsking = true;
      isWoken = false;
      pauses++;
      attemptedAt = world.nanoTime();
    }
    try {
      verbs.submit(
          new VerbMessage.Attempt(ticket, 0, 0),
          Call.ACQUIRE,
          exchange.caller(),
          exchange.epoch(),
          new Signals(wake, Optional.empty()),
          this::replied);
    } catch (RejectedException e) {
      rejected(e.refusal());
    }
  }

  private void rejected(Refusal refusal) {
    synchronized (lock) {
      isOver = true;
    }
    Problem problem = Problem.of(refusal);
    exchange.fail(isInLine() ? problem.with("ticket", sealed) : problem);
  }

  private void attemptAgain() {
    world.callbacks().execute(this::attempt);
  }

  private void replied(Reply reply) {
    Standing standing = reply instanceof Reply.OfAttempt of ? of.standing() : null;
    boolean isLast = !(standing instanceof Standing.Waiting) || world.nanoTime() >= end;
    boolean again;
    int pause;
    synchronized (lock) {
      if (isOver) {
        return;
      }
      isAsking = false;
      isOver = isLast;
      last = standing instanceof Standing.Waiting waiting ? waiting : last;
      again = isWoken && !isLast;
      pause = pauses;
    }
    if (standing instanceof Standing.Granted granted) {
      granted(granted);
    } else if (standing instanceof Standing.Waiting waiting) {
      if (isLast) {
        waiting(waiting);
      } else if (again) {
        attemptAgain();
      } else {
        pause(waiting, pause);
      }
    } else if (reply instanceof Reply.Failed failed) {
      failed(failed.failure());
    } else {
      exchange.fail(Problem.internal());
    }
  }

  /** Looks again after a while, unless it was woken and has asked since. */
  private void pause(Standing.Waiting waiting, int number) {
    long left = Math.max(0, end - world.nanoTime());
    long nanos =
        Math.min(
            Math.min(LONGEST_PAUSE.toNanos(), waiting.retryAfter().toNanos()), Math.max(1, left));
    world.schedule(
        nanos,
        () -> {
          synchronized (lock) {
            if (pauses != number) {
              return;
            }
          }
          attemptAgain();
        });
  }

  /** What the store promised counts from the last attempt, what is replied from the request. */
  private void granted(Standing.Granted granted) {
    long waited = attemptedAt - start;
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("ticket", sealed);
    json.put("token", Long.toString(granted.token()));
    json.put("validFor", granted.validFor().plusNanos(waited - waited / DRIFT_DIVISOR).toMillis());
    reply(200, json);
  }

  private void waiting(Standing.Waiting waiting) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (ticket.waits()) {
      json.put("ticket", sealed);
      json.put("ahead", waiting.ahead());
      waiting.holder().ifPresent(holder -> json.put("holder", JsonVerbs.holder(holder)));
      reply(202, json);
    } else {
      exchange.fail(Problem.busy(ticket.resource(), waiting.holder()));
    }
  }

  private void failed(EngineException failure) {
    Problem problem = Problem.of(failure);
    boolean isKnown = failure instanceof EngineException.Unknown || isInLine();
    exchange.fail(isKnown ? problem.with("ticket", sealed) : problem);
  }

  /** Returns whether an attempt of this request may have joined the line. */
  private boolean isInLine() {
    synchronized (lock) {
      return last != null && ticket.waits();
    }
  }

  /** A ticket that nobody knows must not block others for a lease. */
  private void reply(int status, Map<String, Object> json) {
    exchange.reply(
        status,
        json,
        isWritten -> {
          if (!isWritten && isOurs) {
            leave();
          }
        });
  }

  private void leave() {
    try {
      verbs.submit(
          new VerbMessage.Leave(ticket, false),
          Call.RELEASE_TICKETS,
          exchange.caller(),
          verbs.pauses().epoch(),
          Signals.NONE,
          left -> {});
    } catch (RejectedException e) {
      // Its token was removed meanwhile: the ticket ends with its lease.
    }
  }
}
