package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Channel;
import io.holdfast.FenceGuard;
import io.holdfast.Hold;
import io.holdfast.LockRefusedException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.connection.LeaseNotFoundException;
import io.holdfast.etcd.connection.Members;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.GuardSteps;
import io.holdfast.spi.support.GuardUri;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The fence guard for data in etcd.
 *
 * <p>{@link #run} checks the token and writes in one transaction: use it wherever the protected
 * data is in etcd.
 *
 * <pre>{@code
 * guard.run(hold, GuardedWrite.put("stock/42", "17"));
 * }</pre>
 *
 * <p>The record of a resource is one key, {@code holdfast/fence/NAMESPACE/RESOURCE}, with the whole
 * token, so that hand-overs within a client are fenced too. Records are never deleted: that would
 * let old holders in. The cluster need not be the one with the locks.
 *
 * <p>Safe for use by several threads. If a member does not accept a call, the next one is asked, in
 * the order of the address, with 2 s for each. Writes whose outcome is unknown are not repeated;
 * only claims without writes are.
 */
public final class EtcdFenceGuard implements FenceGuard, AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Members.Timing TIMING = Members.Timing.of(Duration.ofSeconds(30), TIMEOUT);

  /**
   * What a holder presents.
   *
   * @param exclusive whether it claims, so that earlier holders are refused
   * @param held whether the lock itself must be held
   */
  private record Claim(
      String resource, long token, String holdId, boolean exclusive, boolean held) {}

  private final Members members;
  private final Layout layout;
  private final String namespace;

  private EtcdFenceGuard(Members members, String namespace) {
    this.members = members;
    this.layout = new Layout(members.prefix());
    this.namespace = Resource.requireNamespace(namespace);
  }

  /**
   * Opens a guard by address. It may be the address of the locks: of its {@code holdfast.*}
   * parameters the guard uses the namespace and ignores the others. The cluster need not be
   * reachable.
   *
   * @throws IllegalArgumentException if the address is invalid; the message contains no secrets
   */
  public static EtcdFenceGuard connect(String uri) {
    GuardUri address = GuardUri.parse(uri, Set.of());
    return new EtcdFenceGuard(EtcdOptions.of(address.store()).members(TIMING), address.namespace());
  }

  /** Opens a guard over a caller-supplied channel, which stays open. */
  public static EtcdFenceGuard over(Channel channel, String name) {
    return new EtcdFenceGuard(Members.over(channel, name, EtcdOptions.DEFAULT_PREFIX), "default");
  }

  /** Returns the same guard for another namespace: the one of the locks. */
  @Override
  public EtcdFenceGuard inNamespace(String other) {
    return new EtcdFenceGuard(members, other);
  }

  @Override
  public void claim(String resource, long token, String holdId) {
    check(resource, token, holdId, true);
  }

  @Override
  public void admit(String resource, long token, String holdId) {
    check(resource, token, holdId, false);
  }

  private void check(String resource, long token, String holdId, boolean exclusive) {
    Claim claim = new Claim(resource, token, holdId, exclusive, false);
    GuardSteps.check(resource, () -> pass(claim, List.of()));
  }

  /** Claims and writes as the exclusive holder, in one transaction; in the hold's namespace. */
  public void run(Hold hold, GuardedWrite... writes) {
    inNamespace(hold.namespace()).run(hold.name(), hold.token(), hold.id(), true, List.of(writes));
  }

  /**
   * As {@link #run(Hold, GuardedWrite...)}, but only while the lock itself is held: the transaction
   * also checks its ticket. So a holder whose lease has ended is refused at once, even before
   * another holder has claimed. For mutexes and write locks in the same cluster.
   *
   * @throws StaleTokenException if a later holder has claimed, or the hold is over in the store
   */
  public void runWhileHeld(Hold hold, GuardedWrite... writes) {
    inNamespace(hold.namespace())
        .run(new Claim(hold.name(), hold.token(), hold.id(), true, true), List.of(writes));
  }

  /** Admits and writes as one of several holders, in one transaction; raises nothing. */
  public void runShared(Hold hold, GuardedWrite... writes) {
    inNamespace(hold.namespace()).run(hold.name(), hold.token(), hold.id(), false, List.of(writes));
  }

  /**
   * Checks and writes in one transaction.
   *
   * @param exclusive whether it claims, so that earlier holders are refused
   * @param writes at most 100, of different keys
   * @throws StaleTokenException if a later holder has claimed; nothing was written
   * @throws StoreUnavailableException if it was certainly not executed
   * @throws OutcomeUnknownException if there was no reply: it may have been executed or not
   * @throws LockRefusedException for lack of rights, or for writes that the server rejects
   */
  public void run(
      String resource, long token, String holdId, boolean exclusive, List<GuardedWrite> writes) {
    run(new Claim(resource, token, holdId, exclusive, false), writes);
  }

  private void run(Claim claim, List<GuardedWrite> writes) {
    GuardSteps.write(
        claim.resource,
        () -> {
          pass(claim, writes);
          return true;
        });
  }

  private void pass(Claim claim, List<GuardedWrite> writes) throws EngineException {
    GuardSteps.requireToken(claim.token);
    Resource resource = new Resource(namespace, claim.resource);
    TxnRequest request = txn(layout.fence(resource), claim, writes);
    HeldCheck lock = new HeldCheck(layout, resource, claim.token);
    try (EtcdConnection connection = new EtcdConnection(members, TIMEOUT)) {
      TxnResponse reply =
          ask(connection, claim.held ? lock.before(request) : request, writes.isEmpty());
      if (claim.held) {
        TxnResponse all = reply;
        reply =
            lock.passed(all)
                .orElseThrow(
                    () -> new StaleTokenException(claim.resource, claim.token, lock.current(all)));
      }
      for (KeyValue record : inTheWay(reply)) {
        throw new StaleTokenException(claim.resource, claim.token, claimed(record));
      }
    } catch (LeaseNotFoundException e) {
      throw new EngineException.Unknown("the server reported a lease that has ended", e);
    }
  }

  /**
   * Asks one member after another until there is a reply.
   *
   * @param repeatable whether it may be sent again although it may have been executed
   */
  private TxnResponse ask(EtcdConnection connection, TxnRequest request, boolean repeatable)
      throws EngineException, LeaseNotFoundException {
    for (int left = members.size() - 1; ; left--) {
      try {
        return connection.txn(request);
      } catch (EngineException.Refused e) {
        throw e;
      } catch (EngineException e) {
        if (left == 0 || !(repeatable || e instanceof EngineException.NotDone)) {
          throw e;
        }
      }
    }
  }

  /** Passes for the same claim, a record with a lower token, or none; else reads the record. */
  private static TxnRequest txn(ByteString key, Claim claim, List<GuardedWrite> writes) {
    ByteString number = ByteString.copyFromUtf8(String.format(Locale.ROOT, "%020d", claim.token));
    ByteString own = number.concat(ByteString.copyFromUtf8(" " + claim.holdId));
    List<RequestOp> again = writes.stream().map(GuardedWrite::op).toList();
    List<RequestOp> first = new ArrayList<>(again);
    if (claim.exclusive) {
      first.add(Ops.put(key, own, 0));
    }
    TxnRequest ifNone = Ops.txn(List.of(Ops.absent(key)), first, List.of(Ops.get(key)));
    TxnRequest ifLower =
        Ops.txn(List.of(Ops.valueBefore(key, number)), first, List.of(Ops.nested(ifNone)));
    return Ops.txn(List.of(Ops.valueIs(key, own)), again, List.of(Ops.nested(ifLower)));
  }

  private static List<KeyValue> inTheWay(TxnResponse reply) {
    TxnResponse at = reply;
    for (int level = 0; level < 2 && !at.getSucceeded(); level++) {
      at = at.getResponses(0).getResponseTxn();
    }
    ResponseOp last = at.getSucceeded() ? ResponseOp.getDefaultInstance() : at.getResponses(0);
    return last.getResponseRange().getKvsList();
  }

  private static long claimed(KeyValue record) {
    String text = record.getValue().toStringUtf8();
    try {
      return Long.parseLong(text.substring(0, Math.max(0, text.indexOf(' '))));
    } catch (NumberFormatException e) {
      throw new LockRefusedException(
          "the fence record "
              + record.getKey().toStringUtf8()
              + " was not written by Holdfast; it was left unchanged, and nothing was written",
          e);
    }
  }

  /** Closes the connections of this guard and of those made from it; not a supplied channel. */
  @Override
  public void close() {
    members.close();
  }

  /**
   * Checks in a transaction whether the holder of a token is still in; no clock is involved. The
   * token of a mutex is the revision at which its ticket joined, and it is in while that ticket is
   * the oldest of the line. So all tickets are as old or younger, and not all are younger. That can
   * be compared without the key of the ticket, which is a secret.
   */
  private static final class HeldCheck {

    private final Keys.Range line;
    private final long token;

    HeldCheck(Layout layout, Resource resource, long token) {
      this.line = layout.everything(resource);
      this.token = token;
    }

    /** Runs the transaction only if the holder is in. */
    TxnRequest before(TxnRequest txn) {
      long joined = Token.counter(token);
      List<RequestOp> first = List.of(Ops.oldest(line, 1));
      TxnRequest notAllYounger =
          Ops.txn(List.of(Ops.allCreatedAfter(line, joined - 1)), List.of(Ops.nested(txn)), first);
      return Ops.txn(
          List.of(Ops.allCreatedAfter(line, joined)), first, List.of(Ops.nested(notAllYounger)));
    }

    /** The reply to that transaction; empty if the holder is not in. */
    Optional<TxnResponse> passed(TxnResponse reply) {
      if (reply.getSucceeded()) {
        return Optional.empty();
      }
      TxnResponse inner = reply.getResponses(0).getResponseTxn();
      return inner.getSucceeded()
          ? Optional.of(inner.getResponses(0).getResponseTxn())
          : Optional.empty();
    }

    /** The token of the present holder; without one, a token that the next will exceed. */
    long current(TxnResponse reply) {
      TxnResponse at = reply.getSucceeded() ? reply : reply.getResponses(0).getResponseTxn();
      long revision =
          at.getResponses(0).getResponseRange().getKvsList().stream()
              .map(KeyValue::getCreateRevision)
              .findFirst()
              .orElse(reply.getHeader().getRevision());
      return Token.of(Token.generation(token), revision);
    }
  }
}
