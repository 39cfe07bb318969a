package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.Admission;
import io.holdfast.zookeeper.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the verbs of one lane.
 *
 * <p>All lanes share the client's one connection. The first requests of a batch are sent in one
 * trip, each verb completes when it has its last reply, on the connection's own thread, and the
 * lane's thread waits for the last verb.
 */
public final class ZooKeeperLane implements BatchEngine {

  private final VerbContext context;
  private final Admission admission;
  private volatile @Nullable CompletableFuture<Void> current;
  private volatile boolean closed;

  public ZooKeeperLane(VerbContext context) {
    this.context = context;
    this.admission = Admission.of(context.traits());
  }

  @Override
  public void perform(List<Verb> batch) {
    List<CompletableFuture<?>> running = new ArrayList<>();
    List<Verb.Attempt> attempts = new ArrayList<>();
    List<Verb.Leave> leaves = new ArrayList<>();
    List<Verb.Renew> renewals = new ArrayList<>();
    for (Verb verb : batch) {
      if (!admission.admit(verb)) {
        continue;
      }
      if (verb instanceof Verb.Attempt attempt) {
        attempts.add(attempt);
      } else if (verb instanceof Verb.Leave leave) {
        leaves.add(leave);
      } else if (verb instanceof Verb.Renew renew) {
        renewals.add(renew);
      } else {
        startOther(verb, running);
      }
    }
    complete(Leave.startAll(context, leaves), leaves, Verb.Leave::complete, running);
    complete(Renew.startAll(context, renewals), renewals, Verb.Renew::complete, running);
    startAttempts(attempts, running);
    await(running);
  }

  private void startAttempts(List<Verb.Attempt> attempts, List<CompletableFuture<?>> running) {
    Session session = attempts.isEmpty() ? null : sessionFor(attempts);
    if (session != null) {
      complete(
          Attempt.startAll(context, session, attempts), attempts, Verb.Attempt::complete, running);
    }
  }

  private void startOther(Verb verb, List<CompletableFuture<?>> running) {
    Session session = sessionFor(List.of(verb));
    if (session == null) {
      return;
    }
    if (verb instanceof Verb.Resize resize) {
      running.add(
          complete(Resize.start(context, session, verb.ticket()), resize, Verb.Resize::complete));
    } else if (verb instanceof Verb.Settle settle) {
      running.add(complete(Settle.start(context, session, settle), settle, Verb.Settle::complete));
    }
  }

  /** Returns a connected session; without one the verbs fail. */
  private @Nullable Session sessionFor(List<? extends Verb> verbs) {
    try {
      return context.sessions().require();
    } catch (EngineException e) {
      verbs.forEach(verb -> verb.fail(e));
      return null;
    }
  }

  private <T, V extends Verb> void complete(
      List<CompletableFuture<T>> results,
      List<V> verbs,
      BiConsumer<V, T> complete,
      List<CompletableFuture<?>> running) {
    for (int i = 0; i < verbs.size(); i++) {
      running.add(complete(results.get(i), verbs.get(i), complete));
    }
  }

  private <T, V extends Verb> CompletableFuture<?> complete(
      CompletableFuture<T> result, V verb, BiConsumer<V, T> complete) {
    return result.handle(
        (value, failure) -> {
          if (failure == null) {
            complete.accept(verb, value);
          } else {
            verb.fail(context.errors().translate(failure, verb.ticket()));
          }
          return verb;
        });
  }

  private void await(List<CompletableFuture<?>> running) {
    CompletableFuture<Void> done =
        CompletableFuture.allOf(running.toArray(new CompletableFuture<?>[0]));
    current = done;
    if (closed) {
      return;
    }
    done.join();
    current = null;
  }

  @Override
  public EngineTraits traits() {
    return context.traits();
  }

  /** May come from another thread: the lane's thread stops waiting. */
  @Override
  public void close() {
    closed = true;
    CompletableFuture<Void> waiting = current;
    if (waiting != null) {
      waiting.complete(null);
    }
  }
}
