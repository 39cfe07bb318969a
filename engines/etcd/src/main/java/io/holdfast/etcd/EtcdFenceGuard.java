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
import io.holdfast.etcd.wire.LeaseLostException;
import io.holdfast.etcd.wire.Members;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The fence guard of data that lives in etcd. {@link #run} checks the token and writes in one
 * transaction: use it wherever the write is a write to etcd.
 *
 * <pre>{@code
 * guard.run(hold, GuardedWrite.put("stock/42", "17"));
 * }</pre>
 *
 * <p>The record of a resource is one key, {@code holdfast/fence/NAMESPACE/RESOURCE}, with the whole
 * token, so that grants that were handed over within a client are told apart too. Records have no
 * end: to forget one would let old holders in. The cluster need not be the one that has the locks.
 *
 * <p>Safe for any number of threads. Where a member does not take a call, the next one is asked, in
 * the order of the address, with 2 seconds for each. What may have been written is not written
 * again; only claims without writes are.
 */
public final class EtcdFenceGuard implements FenceGuard, AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Members.Timing TIMING = Members.Timing.of(Duration.ofSeconds(30), TIMEOUT);

  /**
   * What a holder shows.
   *
   * @param exclusive whether it claims, and everyone before it is out
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
   * A guard by address: that of the locks will do, as parameters of the client, {@code holdfast.*},
   * are left aside. The cluster need not be up.
   *
   * @throws IllegalArgumentException when the address is not understood; the message has no secrets
   */
  public static EtcdFenceGuard connect(String uri) {
    return new EtcdFenceGuard(EtcdOptions.of(withoutOurs(uri)).members(TIMING), "default");
  }

  private static String withoutOurs(String uri) {
    int query = uri.indexOf('?');
    if (query < 0) {
      return uri;
    }
    String theirs =
        Stream.of(uri.substring(query + 1).split("&", -1))
            .filter(parameter -> !parameter.startsWith("holdfast."))
            .collect(Collectors.joining("&"));
    return uri.substring(0, query) + (theirs.isEmpty() ? "" : "?" + theirs);
  }

  /** A guard over a channel that the program has made, and closes itself. */
  public static EtcdFenceGuard over(Channel channel, String name) {
    return new EtcdFenceGuard(Members.over(channel, name, EtcdOptions.DEFAULT_PREFIX), "default");
  }

  /** The same guard for resources of another namespace: the one that the locks are in. */
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
    try {
      pass(new Claim(resource, token, holdId, exclusive, false), List.of());
    } catch (EngineException.Refused e) {
      throw refused(resource, e);
    } catch (EngineException e) {
      // To claim again does no harm: there is no doubt that matters.
      throw new StoreUnavailableException(unheard(resource, e) + "; write nothing", e);
    }
  }

  /** Claims and writes as the exclusive holder, in one transaction; in the hold's namespace. */
  public void run(Hold hold, GuardedWrite... writes) {
    inNamespace(hold.namespace()).run(hold.name(), hold.token(), hold.id(), true, List.of(writes));
  }

  /**
   * As {@link #run(Hold, GuardedWrite...)}, and only while the lock itself is held: its ticket is
   * seen in the same transaction. So a holder whose lease has ended is refused at once, also before
   * another one has claimed. For mutexes and write locks that live in this very cluster.
   *
   * @throws StaleTokenException also when the hold is over in the store
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
   * @param exclusive whether it claims, and everyone before it is out
   * @param writes at most 100, of different keys
   * @throws StaleTokenException when a later holder has claimed; nothing was written
   * @throws StoreUnavailableException when it surely did not run
   * @throws OutcomeUnknownException when there was no answer: it ran or it did not
   * @throws LockRefusedException for lack of rights, or writes that the server does not take
   */
  public void run(
      String resource, long token, String holdId, boolean exclusive, List<GuardedWrite> writes) {
    run(new Claim(resource, token, holdId, exclusive, false), writes);
  }

  private void run(Claim claim, List<GuardedWrite> writes) {
    String resource = claim.resource;
    try {
      pass(claim, writes);
    } catch (EngineException.Refused e) {
      throw refused(resource, e);
    } catch (EngineException.NotDone e) {
      throw new StoreUnavailableException(unheard(resource, e) + "; nothing was written", e);
    } catch (EngineException e) {
      throw new OutcomeUnknownException(
          unheard(resource, e) + "; it was written or not: look before writing again", e);
    }
  }

  private void pass(Claim claim, List<GuardedWrite> writes) throws EngineException {
    if (claim.token < 1) {
      throw new IllegalArgumentException("token must be >= 1: token=" + claim.token);
    }
    Resource resource = new Resource(namespace, claim.resource);
    TxnRequest request = txn(layout.fence(resource), claim, writes);
    LockCheck lock = new LockCheck(layout, resource, claim.token);
    try (Wire wire = new Wire(members, TIMEOUT)) {
      TxnResponse answer = ask(wire, claim.held ? lock.before(request) : request, writes.isEmpty());
      if (claim.held) {
        TxnResponse all = answer;
        answer =
            lock.passed(all)
                .orElseThrow(
                    () -> new StaleTokenException(claim.resource, claim.token, lock.current(all)));
      }
      for (KeyValue record : inTheWay(answer)) {
        throw new StaleTokenException(claim.resource, claim.token, claimed(record));
      }
    } catch (LeaseLostException e) {
      throw new EngineException.Unknown("a lease is over", e);
    }
  }

  /**
   * Asks one member after another until there is an answer.
   *
   * @param again whether it may be sent again though it may have been done
   */
  private TxnResponse ask(Wire wire, TxnRequest request, boolean again)
      throws EngineException, LeaseLostException {
    for (int left = members.size() - 1; ; left--) {
      try {
        return wire.txn(request);
      } catch (EngineException.Refused e) {
        throw e;
      } catch (EngineException e) {
        if (left == 0 || !(again || e instanceof EngineException.NotDone)) {
          throw e;
        }
      }
    }
  }

  /** The same claim once more; or a record of a lower token; or none; else what the record says. */
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

  private static List<KeyValue> inTheWay(TxnResponse answer) {
    TxnResponse at = answer;
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
              + " is not one of Holdfast's; it was left untouched, and nothing was written",
          e);
    }
  }

  private static LockRefusedException refused(String resource, EngineException why) {
    return new LockRefusedException(
        "the guard of " + resource + " refused: " + why.getMessage(), why);
  }

  private static String unheard(String resource, EngineException why) {
    return "the guard of " + resource + " was not heard: " + why.getMessage();
  }

  /** Ends the guard's own connections, also of those made from it; a lent channel stays open. */
  @Override
  public void close() {
    members.close();
  }
}
