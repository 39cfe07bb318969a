package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;

/** Completes verbs with what the store said, and takes their bells down when they wait no more. */
final class Completion {

  /** How the server begins its complaint about a key of another type. */
  private static final String WRONG_TYPE = "WRONGTYPE";

  /** For calls whose replies are read as they come. */
  private static final Verb.Answer<Left> UNHEARD =
      new Verb.Answer<>() {
        @Override
        public void answered(Left left) {}

        @Override
        public void failed(EngineException why) {}
      };

  private final Bells bells;
  private final Answers answers;
  private final Refusals refusals;
  private final RedisRefusals own;
  private final int minReplicas;
  private final long quarantineMillis;

  Completion(Bells bells, Refusals refusals, int minReplicas, long quarantineMillis) {
    this.bells = bells;
    this.refusals = refusals;
    this.own = new RedisRefusals(refusals);
    this.answers = new Answers(refusals, own);
    this.minReplicas = minReplicas;
    this.quarantineMillis = quarantineMillis;
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

  /** Completes a verb; false if it was granted but too few replicas know: it must be undone. */
  boolean complete(Verb verb, Reply reply) {
    if (reply instanceof Reply.Failed failed) {
      refuse(verb, failed.why());
      return true;
    }
    Reply.Value value = (Reply.Value) reply;
    Words words = Words.of(value.value());
    boolean replicated = value.replicas() == Reply.NOT_ASKED || value.replicas() >= minReplicas;
    if (!replicated && verb instanceof Verb.Attempt && Answers.isGranted(words)) {
      if (Answers.isFresh(words)) {
        return false;
      }
      verb.fail(new EngineException.Unknown(tooFew(verb.ticket()), null));
      return true;
    }
    if (!replicated && verb instanceof Verb.Settle && words.number(0) == 1) {
      verb.fail(new EngineException.Unknown(tooFew(verb.ticket()), null));
      return true;
    }
    try {
      answer(verb, words);
    } catch (EngineException e) {
      bells.takeDown(verb.ticket().id());
      verb.fail(e);
    }
    return true;
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
      attempt.complete(standing);
    } else if (verb instanceof Verb.Renew renew) {
      renew.complete(answers.renewal(ticket, words));
    } else if (verb instanceof Verb.Leave leave) {
      bells.takeDown(ticket.id());
      leave.complete(Answers.left(words));
    } else if (verb instanceof Verb.Settle settle) {
      settle.complete(words.number(0) == 1);
    } else if (verb instanceof Verb.Resize resize) {
      resize.complete(answers.resized(ticket, words));
    }
  }

  /**
   * Takes fresh grants out again that too few replicas know. The ticket may ask again: nothing says
   * that it has left for good.
   */
  void undo(List<Verb> granted, Wire wire, Calls calls) {
    if (granted.isEmpty()) {
      return;
    }
    List<Call> leaves = new ArrayList<>(granted.size());
    for (Verb verb : granted) {
      leaves.add(calls.of(new Verb.Leave(verb.ticket(), false, UNHEARD), 0));
    }
    List<Reply> replies = wire.run(leaves);
    for (int i = 0; i < granted.size(); i++) {
      Verb verb = granted.get(i);
      String why = tooFew(verb.ticket());
      verb.fail(
          replies.get(i) instanceof Reply.Failed failed
              ? new EngineException.Unknown(why, failed.why())
              : new EngineException.NotDone(why, null));
    }
  }

  private String tooFew(Ticket ticket) {
    return refusals.about(ticket)
        + " is not safely replicated: fewer than "
        + minReplicas
        + " replicas confirmed it in time; check them and the right to WAIT, or lower minReplicas";
  }
}
