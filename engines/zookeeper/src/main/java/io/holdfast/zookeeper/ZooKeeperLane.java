package io.holdfast.zookeeper;

import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Verbs of one lane. All lanes share the client's one connection; a batch is sent at once, each
 * verb is completed as soon as it is answered, on the connection's own thread, and the lane's
 * thread waits for the last.
 */
final class ZooKeeperLane implements BatchEngine {

  private final ZooKeeperEngine engine;
  private volatile @Nullable CompletableFuture<Void> current;
  private volatile boolean closed;

  ZooKeeperLane(ZooKeeperEngine engine) {
    this.engine = engine;
  }

  @Override
  public void perform(List<Verb> batch) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    List<Verb.Attempt> attempts = new ArrayList<>();
    List<Verb.Leave> leaves = new ArrayList<>();
    List<Verb.Renew> renewals = new ArrayList<>();
    for (Verb verb : batch) {
      if (verb instanceof Verb.Attempt attempt) {
        attempts.add(attempt);
      } else if (verb instanceof Verb.Leave leave) {
        leaves.add(leave);
      } else if (verb instanceof Verb.Renew renew) {
        renewals.add(renew);
      } else {
        perform(verb, all);
      }
    }
    leave(leaves, all);
    renew(renewals, all);
    attempt(attempts, all);
    await(all);
  }

  private void attempt(List<Verb.Attempt> attempts, List<CompletableFuture<?>> all) {
    if (attempts.isEmpty()) {
      return;
    }
    Session session = require(attempts);
    if (session == null) {
      return;
    }
    var answers =
        engine
            .attempts()
            .attempt(
                session,
                attempts.stream().map(a -> new Attempts.Asker(a.ticket(), a.wake())).toList());
    for (int i = 0; i < attempts.size(); i++) {
      all.add(completes(answers.get(i), attempts.get(i), Verb.Attempt::complete));
    }
  }

  private void leave(List<Verb.Leave> leaves, List<CompletableFuture<?>> all) {
    var answers =
        engine
            .leaves()
            .leave(leaves.stream().map(l -> new Leaves.Leaver(l.ticket(), l.inDoubt())).toList());
    for (int i = 0; i < leaves.size(); i++) {
      all.add(completes(answers.get(i), leaves.get(i), Verb.Leave::complete));
    }
  }

  private void renew(List<Verb.Renew> renewals, List<CompletableFuture<?>> all) {
    var answers = engine.keeps().renew(renewals.stream().map(Verb.Renew::ticket).toList());
    for (int i = 0; i < renewals.size(); i++) {
      all.add(completes(answers.get(i), renewals.get(i), Verb.Renew::complete));
    }
  }

  private void perform(Verb verb, List<CompletableFuture<?>> all) {
    Session session = require(List.of(verb));
    Ticket ticket = verb.ticket();
    if (session == null) {
      return;
    }
    if (verb instanceof Verb.Resize resize) {
      all.add(completes(engine.resizes().resize(session, ticket), resize, Verb.Resize::complete));
    } else if (verb instanceof Verb.Settle settle) {
      if (ticket.shape().kind() != Shape.Kind.ONCE) {
        verb.fail(engine.words().refusals().settle(ticket));
        return;
      }
      all.add(
          completes(
              engine
                  .books()
                  .inTurn(ticket, () -> engine.marks().settle(session, ticket, settle.keep())),
              settle,
              Verb.Settle::complete));
    }
  }

  private @Nullable Session require(List<? extends Verb> verbs) {
    try {
      return engine.sessions().require();
    } catch (EngineException e) {
      verbs.forEach(verb -> verb.fail(e));
      return null;
    }
  }

  private <T, V extends Verb> CompletableFuture<?> completes(
      CompletableFuture<T> answer, V verb, BiConsumer<V, T> complete) {
    return answer.handle(
        (value, failure) -> {
          if (failure == null) {
            complete.accept(verb, value);
          } else {
            verb.fail(engine.words().of(failure, verb.ticket()));
          }
          return verb;
        });
  }

  private void await(List<CompletableFuture<?>> all) {
    CompletableFuture<Void> done =
        CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
    current = done;
    if (closed) {
      return;
    }
    done.join();
    current = null;
  }

  @Override
  public EngineTraits traits() {
    return engine.traits();
  }

  /** May come from another thread: whoever waits for answers is let go. */
  @Override
  public void close() {
    closed = true;
    CompletableFuture<Void> waiting = current;
    if (waiting != null) {
      waiting.complete(null);
    }
  }
}
