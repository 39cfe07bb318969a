package io.holdfast.etcd;

import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Members;
import io.holdfast.etcd.wire.Watches;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A client whose attempts go on step by step, so that others can come between. */
final class Steps implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final Members members;
  private final Wire wire;
  private final Watches watches;
  private final Shared shared;

  Steps(String uri) {
    members = EtcdOptions.of(uri).members(Members.Timing.of(Duration.ofSeconds(30), TIMEOUT));
    wire = new Wire(members, TIMEOUT);
    watches = new Watches(members, TIMEOUT, System::nanoTime);
    shared =
        new Shared(
            new Sessions(System::nanoTime, () -> 0),
            new Places(System::nanoTime),
            new Marks(System::nanoTime),
            watches,
            new Looks(
                new Watches(members, TIMEOUT, System::nanoTime),
                new Layout("holdfast/"),
                System::nanoTime),
            new Refusals(members.store()),
            new Layout("holdfast/"),
            System::nanoTime,
            () -> 0);
  }

  Attempt attempt(Ticket ticket) {
    return new Attempt(ticket);
  }

  Shared shared() {
    return shared;
  }

  /** Sends what was asked before. */
  TxnResponse send(TxnRequest request) throws Exception {
    return wire.txn(request);
  }

  /** One attempt. */
  final class Attempt {

    private final CompletableFuture<Standing> answer = new CompletableFuture<>();
    private final Attempting errand;

    Attempt(Ticket ticket) {
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
      errand = new Attempting(shared, verb, System.nanoTime());
    }

    /** One transaction; answers whether the attempt has its answer. */
    boolean next() throws Exception {
      Session.Kept kept = errand.session().keep(wire);
      TxnResponse heard = wire.txn(errand.ask(wire, true));
      errand.session().confirm(wire, heard.getHeader().getRaftTerm(), kept);
      boolean complete = errand.hear(heard, heard.getHeader().getRevision(), wire);
      if (complete) {
        errand.over();
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

    /** The next transaction stays on its way: the attempt ends without its answer. */
    TxnRequest getsNoAnswer() throws Exception {
      TxnRequest asked = errand.ask(wire, true);
      errand.fail(new EngineException.Unknown("no answer", null));
      errand.over();
      return asked;
    }
  }

  @Override
  public void close() {
    watches.close();
    shared.looks().close();
    wire.close();
    members.close();
  }
}
