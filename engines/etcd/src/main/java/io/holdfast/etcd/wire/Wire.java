package io.holdfast.etcd.wire;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls to a member of the cluster, one after another, each bounded. For one thread; only {@link
 * #close} may come from another, and ends the call that is under way.
 */
public final class Wire implements AutoCloseable {

  private static final String BROKEN_OFF = "broken off";
  private static final String NO_LEASE = "requested lease not found";

  private final Members members;
  private final Trouble trouble;
  private final Duration timeout;
  private volatile @Nullable ClientCall<?, ?> underWay;
  private volatile boolean closed;

  /** Each call goes to the member whose turn it is then; nothing is sent yet. */
  public Wire(Members members, Duration timeout) {
    this.members = members;
    this.trouble = new Trouble(members.store(), members.prefix(), members.sendsOnce());
    this.timeout = timeout;
  }

  /** Runs a transaction. */
  public TxnResponse txn(TxnRequest request) throws EngineException, LeaseLostException {
    return call(KVGrpc.getTxnMethod(), request);
  }

  /** Makes a lease of so many seconds; the server may make it longer. */
  public LeaseGrantResponse grant(long seconds) throws EngineException {
    return plain(
        LeaseGrpc.getLeaseGrantMethod(), LeaseGrantRequest.newBuilder().setTTL(seconds).build());
  }

  /**
   * Keeps a lease for its time from now on. Each is a stream of its own, of one question and one
   * answer: an answer cannot be taken for that of another question, nor a dead stream for a living.
   */
  public LeaseKeepAliveResponse keepAlive(long lease) throws EngineException {
    return plain(
        LeaseGrpc.getLeaseKeepAliveMethod(),
        LeaseKeepAliveRequest.newBuilder().setID(lease).build());
  }

  /** How long a lease has, in whole seconds rounded down; negative when it is over. */
  public LeaseTimeToLiveResponse timeToLive(long lease) throws EngineException {
    return plain(
        LeaseGrpc.getLeaseTimeToLiveMethod(),
        LeaseTimeToLiveRequest.newBuilder().setID(lease).build());
  }

  /** Ends a lease, and deletes all that hangs on it. */
  public void revoke(long lease) throws EngineException {
    plain(LeaseGrpc.getLeaseRevokeMethod(), LeaseRevokeRequest.newBuilder().setID(lease).build());
  }

  /** The term of office in which a read was answered that a majority stands behind. */
  public long term() throws EngineException {
    // Of a key that the user may read, whether it is there or not.
    ByteString any = ByteString.copyFromUtf8(members.prefix());
    RangeRequest range = RangeRequest.newBuilder().setKey(any).setKeysOnly(true).build();
    return plain(KVGrpc.getRangeMethod(), range).getHeader().getRaftTerm();
  }

  private <Q, A> A plain(MethodDescriptor<Q, A> method, Q request) throws EngineException {
    try {
      return call(method, request);
    } catch (LeaseLostException e) {
      throw new EngineException.Unknown("etcd at " + members.store() + " knows no such lease", e);
    }
  }

  private <Q, A> A call(MethodDescriptor<Q, A> method, Q request)
      throws EngineException, LeaseLostException {
    for (int i = 0; ; i++) {
      Members.Member member = members.current();
      try {
        return once(member, method, request);
      } catch (StatusRuntimeException e) {
        Status status = e.getStatus();
        if (i == 0 && members.login().isStale(e)) {
          continue;
        }
        if (String.valueOf(status.getDescription()).contains(NO_LEASE)) {
          throw new LeaseLostException(e);
        }
        throw failed(member, status);
      }
    }
  }

  private EngineException failed(Members.Member member, Status status) {
    EngineException failure = trouble.of(status);
    boolean silent =
        status.getCode() == Status.Code.DEADLINE_EXCEEDED
            || status.getCode() == Status.Code.CANCELLED;
    if (silent) {
      members.silent(member);
    } else if (!(failure instanceof EngineException.Refused)) {
      members.failed(member);
    }
    return failure;
  }

  private <Q, A> A once(Members.Member member, MethodDescriptor<Q, A> method, Q request)
      throws EngineException {
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    members.prepare(member);
    ClientCall<Q, A> call =
        members.login().dress(member.channel(), timeout).newCall(method, options);
    Answer<A> answer = new Answer<>();
    ClientCalls.asyncUnaryCall(call, request, answer);
    // Not before: a call that another thread breaks off while it is started fails in odd ways.
    underWay = call;
    if (closed) {
      call.cancel(BROKEN_OFF, null);
    }
    try {
      return answer.await();
    } catch (InterruptedException e) {
      call.cancel("interrupted", e);
      Thread.currentThread().interrupt();
      throw new EngineException.Unknown(
          "the call to etcd at " + members.store() + " was interrupted", e);
    } finally {
      underWay = null;
    }
  }

  @Override
  public void close() {
    closed = true;
    ClientCall<?, ?> call = underWay;
    if (call != null) {
      call.cancel(BROKEN_OFF, null);
    }
  }
}
