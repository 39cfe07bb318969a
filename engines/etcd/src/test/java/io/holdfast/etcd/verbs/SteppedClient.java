package io.holdfast.etcd.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.Engines;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.connection.Members;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.session.LeaseRegistry;
import io.holdfast.etcd.session.MarkTable;
import io.holdfast.etcd.session.SharedLease;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.etcd.signals.HoldWatcher;
import io.holdfast.etcd.signals.WatchRegistry;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** A client whose attempts go on step by step, so that others can come between. */
final class SteppedClient implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final Members members;
  private final EtcdConnection wire;
  private final WatchRegistry watches;
  private final VerbContext context;
  private final AtomicLong passed = new AtomicLong();

  SteppedClient(String uri) {
    members = Engines.members(uri, TIMEOUT);
    wire = new EtcdConnection(members, TIMEOUT);
    watches = new WatchRegistry(members, TIMEOUT, System::nanoTime);
    context =
        new VerbContext(
            new LeaseRegistry(System::nanoTime, () -> 0),
            new TicketTable(() -> System.nanoTime() + passed.get()),
            new MarkTable(System::nanoTime),
            watches,
            new HoldWatcher(
                new WatchRegistry(members, TIMEOUT, System::nanoTime),
                new Layout("holdfast/"),
                System::nanoTime),
            new Refusals(members.store()),
            new Layout("holdfast/"),
            System::nanoTime,
            () -> 0);
  }

  SteppedAttempt attempt(Ticket ticket) {
    return new SteppedAttempt(ticket);
  }

  /** Lets time pass for the tickets of this client. */
  void pass(Duration time) {
    passed.addAndGet(time.toNanos());
  }

  VerbContext context() {
    return context;
  }

  /** Sends what was asked before. */
  TxnResponse send(TxnRequest request) throws Exception {
    return wire.txn(request);
  }

  /** Keeps a mutex, in as many trips as it takes. */
  boolean keep(Ticket ticket, Duration keep) throws Exception {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    KeepMutex step = keepMutex(ticket, keep, answer);
    boolean complete = false;
    while (!complete) {
      TxnResponse heard = wire.txn(step.ask(wire, true));
      complete = step.hear(new TxnReply(heard, heard.getHeader().getRevision(), wire));
    }
    step.end();
    return answer.get();
  }

  /** Keeps a mutex: the store does so, and this client gets no reply. */
  void keepUnanswered(Ticket ticket, Duration keep) throws Exception {
    assertThat(wire.txn(keepDelayed(ticket, keep)).getSucceeded()).isTrue();
  }

  /** The request to keep a mutex is delayed: the verb ends without a reply. */
  TxnRequest keepDelayed(Ticket ticket, Duration keep) throws Exception {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    KeepMutex step = keepMutex(ticket, keep, answer);
    TxnRequest asked = step.ask(wire, true);
    step.fail(new EngineException.Unknown("no answer", null));
    step.end();
    assertThat(answer).isCompletedExceptionally();
    return asked;
  }

  private KeepMutex keepMutex(Ticket ticket, Duration keep, CompletableFuture<Boolean> answer) {
    return new KeepMutex(
        context,
        new Verb.Settle(
            ticket,
            keep,
            new Verb.Answer<>() {
              @Override
              public void answered(Boolean kept) {
                answer.complete(kept);
              }

              @Override
              public void failed(EngineException failure) {
                answer.completeExceptionally(failure);
              }
            }));
  }

  /** One attempt. */
  final class SteppedAttempt {

    private final CompletableFuture<Standing> answer = new CompletableFuture<>();
    private final Attempt step;

    SteppedAttempt(Ticket ticket) {
      Verb.Attempt verb =
          new Verb.Attempt(
              ticket,
              () -> {},
              new Verb.Answer<>() {
                @Override
                public void answered(Standing standing) {
                  answer.complete(standing);
                }

                @Override
                public void failed(EngineException failure) {
                  answer.completeExceptionally(failure);
                }
              });
      step = new Attempt(context, verb, System.nanoTime());
    }

    /** Makes one trip; returns whether the attempt is complete. */
    boolean next() throws Exception {
      SharedLease.KeepAlive kept = step.lease().keep(wire);
      TxnResponse heard = wire.txn(step.ask(wire, true));
      step.lease().confirm(wire, heard.getHeader().getRaftTerm(), kept);
      boolean complete = step.hear(new TxnReply(heard, heard.getHeader().getRevision(), wire));
      if (complete) {
        step.end();
      }
      return complete;
    }

    Standing rest() throws Exception {
      boolean complete = false;
      while (!complete) {
        complete = next();
      }
      return answer.get();
    }

    /** The next request is delayed: the attempt ends without a reply. */
    TxnRequest getsNoReply() throws Exception {
      step.lease().keep(wire);
      TxnRequest asked = step.ask(wire, true);
      step.fail(new EngineException.Unknown("no answer", null));
      step.end();
      return asked;
    }
  }

  @Override
  public void close() {
    watches.close();
    context.holds().close();
    wire.close();
    members.close();
  }
}
