package io.holdfast.redis;

import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Completes verbs with what the store said, and takes their bells down when they wait no more. */
final class Completion {

  /** How the server begins its complaint about a key of another type. */
  private static final String WRONG_TYPE = "WRONGTYPE";

  private final Bells bells;
  private final Answers answers;
  private final Refusals refusals;
  private final RedisRefusals own;
  private final int minReplicas;
  private final long quarantineMillis;
  private final TakenBack takenBack;
  private final HeldTickets held;
  private volatile Runnable onGrant = () -> {};

  Completion(
      Bells bells,
      Refusals refusals,
      int minReplicas,
      long quarantineMillis,
      TakenBack takenBack,
      HeldTickets held) {
    this.takenBack = takenBack;
    this.held = held;
    this.bells = bells;
    this.refusals = refusals;
    this.own = new RedisRefusals(refusals);
    this.answers = new Answers(refusals, own);
    this.minReplicas = minReplicas;
    this.quarantineMillis = quarantineMillis;
  }

  /** Runs this after each grant, from now on; it must be quick. */
  void onGrant(Runnable action) {
    onGrant = action;
  }

  /** Whether the store is to be asked; if not, the verb has been refused here. */
  boolean mayAsk(Verb verb) {
    Ticket ticket = verb.ticket();
    if (verb instanceof Verb.Settle && ticket.shape().kind() != Shape.Kind.ONCE) {
      verb.fail(refusals.settle(ticket));
    } else if (verb instanceof Verb.Resize && !RedisLane.isSize(ticket.shape())) {
      verb.fail(refusals.resize(ticket));
    } else if (quarantineMillis > 0 && ticket.lease().toMillis() >= quarantineMillis) {
      verb.fail(own.lease(ticket, quarantineMillis));
    }
    return !verb.isComplete();
  }

  /** Completes a verb, unless it was granted and too few replicas know: that must be undone. */
  Optional<Unconfirmed> complete(Verb verb, Reply reply) {
    if (reply instanceof Reply.Failed failed) {
      refuse(verb, failed.why());
      return Optional.empty();
    }
    Reply.Value value = (Reply.Value) reply;
    Words words = Words.of(value.value());
    boolean replicated = value.replicas() == Reply.NOT_ASKED || value.replicas() >= minReplicas;
    if (!replicated && verb instanceof Verb.Attempt && Answers.isGranted(words)) {
      if (Answers.isFresh(words)) {
        long token = Answers.token(words);
        return Optional.of(new Unconfirmed(verb, token, Answers.hasWaited(words)));
      }
      verb.fail(new EngineException.Unknown(tooFew(verb.ticket()), null));
      return Optional.empty();
    }
    if (!replicated && verb instanceof Verb.Settle && words.number(0) == 1) {
      verb.fail(new EngineException.Unknown(tooFew(verb.ticket()), null));
      return Optional.empty();
    }
    try {
      answer(verb, words);
    } catch (EngineException e) {
      bells.takeDown(verb.ticket().id());
      verb.fail(e);
    }
    return Optional.empty();
  }

  private void refuse(Verb verb, EngineException why) {
    if (!(why instanceof EngineException.Refused refused)) {
      verb.fail(why);
      return;
    }
    bells.takeDown(verb.ticket().id());
    boolean foreign = String.valueOf(why.getMessage()).contains(WRONG_TYPE);
    verb.fail(foreign ? own.foreignBeside(verb.ticket(), refused) : why);
  }

  private void answer(Verb verb, Words words) throws EngineException {
    Ticket ticket = verb.ticket();
    if (verb instanceof Verb.Attempt attempt) {
      Standing standing = answers.standing(ticket, words);
      if (standing instanceof Standing.Waiting && ticket.waits()) {
        bells.waits(ticket.id());
      } else {
        bells.takeDown(ticket.id());
      }
      if (standing instanceof Standing.Granted) {
        held.add(ticket);
      }
      attempt.complete(standing);
      if (standing instanceof Standing.Granted) {
        onGrant.run();
      }
    } else if (verb instanceof Verb.Renew renew) {
      Renewal renewal = answers.renewal(ticket, words);
      if (renewal instanceof Renewal.Gone) {
        held.remove(ticket);
      } else {
        held.add(ticket);
      }
      renew.complete(renewal);
    } else if (verb instanceof Verb.Leave leave) {
      bells.takeDown(ticket.id());
      held.remove(ticket);
      leave.complete(Answers.left(words));
    } else if (verb instanceof Verb.Settle settle) {
      settle.complete(words.number(0) == 1);
    } else if (verb instanceof Verb.Resize resize) {
      resize.complete(answers.resized(ticket, words));
    }
  }

  /**
   * Takes back fresh grants that too few replicas know. The ticket may ask again: nothing says that
   * it has left for good.
   */
  void undo(List<Unconfirmed> grants, Wire wire, Calls calls) {
    List<Unconfirmed> open = new ArrayList<>(grants.size());
    for (Unconfirmed grant : grants) {
      // First, and then the look: if the caller hears meanwhile that the lane is late, it asks
      // again in a way that gets another token.
      takenBack.begins(grant.ticket(), grant.token());
      if (grant.verb().isComplete()) {
        // It may have asked again before, been granted this very token, and believe in it.
        takenBack.ends(grant.ticket(), grant.token());
      } else {
        open.add(grant);
      }
    }
    if (open.isEmpty()) {
      return;
    }
    List<Reply> replies = wire.run(open.stream().map(calls::undo).toList());
    for (int i = 0; i < open.size(); i++) {
      undone(open.get(i), replies.get(i));
    }
  }

  private void undone(Unconfirmed grant, Reply reply) {
    String why = tooFew(grant.ticket());
    if (reply instanceof Reply.Failed failed) {
      grant.verb().fail(new EngineException.Unknown(why, failed.why()));
    } else {
      takenBack.ends(grant.ticket(), grant.token());
      grant.verb().fail(new EngineException.NotDone(why, null));
    }
  }

  private String tooFew(Ticket ticket) {
    return refusals.about(ticket)
        + " is not safely replicated: fewer than "
        + minReplicas
        + " replicas confirmed it in time; check them and the right to WAIT, or lower minReplicas";
  }
}
