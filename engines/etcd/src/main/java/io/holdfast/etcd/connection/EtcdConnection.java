package io.holdfast.etcd.connection;

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
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls etcd, one call after another, each with a timeout.
 *
 * <p>For one thread; only {@link #close} may be called by another, and cancels the call in
 * progress.
 */
public final class EtcdConnection implements AutoCloseable {

  private static final String CANCELLED = "cancelled by the client";
  private static final String NO_LEASE = "requested lease not found";

  /** After the first member's time is over, a call is sent again this often in the same time. */
  private static final int RESENDS = 3;

  /** The pause between two tries at a cluster that has just refused, as while it has no leader. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Members members;
  private final StoreErrors errors;
  private final Duration timeout;
  private final List<ClientCall<?, ?>> inProgress = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** Each call goes to the member that is current then; nothing is sent yet. */
  public EtcdConnection(Members members, Duration timeout) {
    this.members = members;
    this.errors = new StoreErrors(members.store(), members.prefix(), members.sendsOnce());
    this.timeout = timeout;
  }

  /** Runs a transaction. A transaction that only reads may be sent to several members. */
  public TxnResponse txn(TxnRequest request) throws EngineException, LeaseNotFoundException {
    return call(KVGrpc.getTxnMethod(), request, isReadOnly(request) ? this::repeated : this::once);
  }

  /** Whether a transaction writes nothing, whichever of its branches is executed. */
  public static boolean isReadOnly(TxnRequest txn) {
    return txn.getSuccessList().stream().allMatch(EtcdConnection::isReadOnly)
        && txn.getFailureList().stream().allMatch(EtcdConnection::isReadOnly);
  }

  private static boolean isReadOnly(RequestOp op) {
    return op.hasRequestRange() || (op.hasRequestTxn() && isReadOnly(op.getRequestTxn()));
  }

  /** Makes a lease of so many seconds; the server may make it longer. */
  public LeaseGrantResponse grant(long seconds) throws EngineException {
    return plain(
        LeaseGrpc.getLeaseGrantMethod(), LeaseGrantRequest.newBuilder().setTTL(seconds).build());
  }

  /**
   * Keeps a lease for its full time from now on. Each keep-alive is a stream of its own with one
   * request and one reply, so that no reply is taken for another one's, and no dead stream for
   * alive.
   *
   * <p>All holds depend on this call, and it does no harm to keep a lease twice: so it is sent to
   * one member after another until one replies.
   */
  public LeaseKeepAliveResponse keepAlive(long lease) throws EngineException {
    return plain(
        LeaseGrpc.getLeaseKeepAliveMethod(),
        LeaseKeepAliveRequest.newBuilder().setID(lease).build(),
        this::repeated);
  }

  /** How long a lease lasts, in whole seconds rounded down; negative if it has ended. */
  public LeaseTimeToLiveResponse timeToLive(long lease) throws EngineException {
    return plain(
        LeaseGrpc.getLeaseTimeToLiveMethod(),
        LeaseTimeToLiveRequest.newBuilder().setID(lease).build());
  }

  /** Ends a lease, and deletes all keys attached to it. */
  public void revoke(long lease) throws EngineException {
    plain(LeaseGrpc.getLeaseRevokeMethod(), LeaseRevokeRequest.newBuilder().setID(lease).build());
  }

  /** The term of the cluster, as a linearizable read shows it. */
  public long term() throws EngineException {
    // Reads a key that the user may read, whether it exists or not.
    ByteString any = ByteString.copyFromUtf8(members.prefix());
    RangeRequest range = RangeRequest.newBuilder().setKey(any).setKeysOnly(true).build();
    return plain(KVGrpc.getRangeMethod(), range, this::repeated).getHeader().getRaftTerm();
  }

  private <Q, A> A plain(MethodDescriptor<Q, A> method, Q request) throws EngineException {
    return plain(method, request, this::once);
  }

  private <Q, A> A plain(MethodDescriptor<Q, A> method, Q request, Sending<Q, A> sending)
      throws EngineException {
    try {
      return call(method, request, sending);
    } catch (LeaseNotFoundException e) {
      throw new EngineException.Unknown("etcd at " + members.store() + " has no such lease", e);
    }
  }

  /** How a request is sent and its reply awaited. */
  private interface Sending<Q, A> {
    A reply(Members.Member member, MethodDescriptor<Q, A> method, Q request) throws EngineException;
  }

  private <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Sending<Q, A> sending)
      throws EngineException, LeaseNotFoundException {
    for (int i = 0; ; i++) {
      Members.Member member = members.current();
      long sent = System.nanoTime();
      try {
        return sending.reply(member, method, request);
      } catch (StatusRuntimeException e) {
        Status status = e.getStatus();
        if (i == 0 && members.login().forgetIfStale(e)) {
          continue;
        }
        if (String.valueOf(status.getDescription()).contains(NO_LEASE)) {
          throw new LeaseNotFoundException(e);
        }
        throw failed(member, status, System.nanoTime() - sent);
      }
    }
  }

  /** A call that was cancelled early says nothing about the member: earlier calls took the time. */
  private EngineException failed(Members.Member member, Status status, long nanos) {
    EngineException failure = errors.map(status);
    boolean cancelled = status.getCode() == Status.Code.CANCELLED;
    if (cancelled && nanos < members.patience().toNanos()) {
      return failure;
    }
    if (cancelled || status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      members.silent(member);
    } else if (!(failure instanceof EngineException.Refused)) {
      members.failed(member);
    }
    return failure;
  }

  private <Q, A> A once(Members.Member member, MethodDescriptor<Q, A> method, Q request)
      throws EngineException {
    try (Call<A> only = send(member, method, request, new LinkedBlockingQueue<>())) {
      return only.reply();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Sends a request that may be executed twice to one member after another, until one replies.
   *
   * <p>While the leader hangs, a member that has forwarded a call to it does not reply to that
   * call, even after another leader was elected; but it replies to a new call. So a member may be
   * asked again while an earlier call to it is in progress.
   */
  private <Q, A> A repeated(Members.Member member, MethodDescriptor<Q, A> method, Q request)
      throws EngineException {
    if (members.size() == 1) {
      return once(member, method, request);
    }
    List<Call<A>> calls = new ArrayList<>();
    try {
      return firstReply(member, method, request, calls);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      calls.forEach(Call::close);
    }
  }

  /**
   * Sends to the next member if none has replied for a while, and soon if all calls have failed.
   * Fails as the first call does, or as a call that was refused.
   *
   * @param calls receives the calls that are made
   */
  private <Q, A> A firstReply(
      Members.Member member, MethodDescriptor<Q, A> method, Q request, List<Call<A>> calls)
      throws InterruptedException {
    BlockingQueue<Call<A>> ended = new LinkedBlockingQueue<>();
    long patience = members.patience().toNanos();
    long interval = patience / RESENDS;
    long start = System.nanoTime();
    long lastSend = start + 2 * patience - interval / 2;
    long nextSend = start + patience;
    Call<A> first = send(member, method, request, ended);
    calls.add(first);
    Members.Member asked = member;
    int failed = 0;
    while (true) {
      boolean sendsAgain = nextSend - lastSend <= 0;
      Call<A> call =
          sendsAgain
              ? ended.poll(nextSend - System.nanoTime(), TimeUnit.NANOSECONDS)
              : ended.take();
      if (call == null) {
        asked = members.after(asked);
        calls.add(send(asked, method, request, ended));
        nextSend += interval;
      } else if (call.hasReply()) {
        if (call != first) {
          members.overtaken(member, call.member, /* silent= */ !first.hasEnded());
        }
        return call.reply();
      } else if (call.isRefused()) {
        return call.reply();
      } else if (++failed == calls.size()) {
        if (closed || !sendsAgain) {
          return first.reply();
        }
        boolean allAsked = calls.size() >= members.size();
        nextSend = System.nanoTime() + (allAsked ? Math.min(interval, PAUSE.toNanos()) : 0);
      }
    }
  }

  private EngineException interrupted(InterruptedException why) {
    Thread.currentThread().interrupt();
    return new EngineException.Unknown(
        "the call to etcd at " + members.store() + " was interrupted", why);
  }

  private <Q, A> Call<A> send(
      Members.Member member, MethodDescriptor<Q, A> method, Q request, Queue<Call<A>> ended) {
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    members.prepare(member);
    ClientCall<Q, A> call =
        members.login().withHeaders(member.channel(), timeout).newCall(method, options);
    Call<A> sent = new Call<>(member, call, ended);
    ClientCalls.asyncUnaryCall(call, request, sent);
    // Not before: a call that another thread cancels while it is started fails in odd ways.
    inProgress.add(call);
    if (closed) {
      call.cancel(CANCELLED, null);
    }
    return sent;
  }

  /** A call that was sent, and its reply. Closing it cancels it if it is still in progress. */
  private final class Call<A> implements StreamObserver<A>, AutoCloseable {

    private final Members.Member member;
    private final ClientCall<?, A> call;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Queue<Call<A>> allEnded;
    private volatile @Nullable A value;
    private volatile @Nullable Throwable failure;

    /** Adds itself to the queue when it has ended. */
    Call(Members.Member member, ClientCall<?, A> call, Queue<Call<A>> allEnded) {
      this.member = member;
      this.call = call;
      this.allEnded = allEnded;
    }

    @Override
    public void onNext(A reply) {
      value = reply;
    }

    @Override
    public void onError(Throwable why) {
      failure = why;
      end();
    }

    @Override
    public void onCompleted() {
      end();
    }

    private void end() {
      ended.countDown();
      allEnded.add(this);
    }

    private boolean hasEnded() {
      return ended.getCount() == 0;
    }

    boolean hasReply() {
      return hasEnded() && failure == null && value != null;
    }

    /** Whether the cluster rejected the call, so that no other member would accept it. */
    boolean isRefused() {
      Throwable why = failure;
      return hasEnded()
          && why != null
          && errors.map(Status.fromThrowable(why)) instanceof EngineException.Refused;
    }

    /** Waits until the call has ended, at its deadline at the latest. */
    A reply() throws InterruptedException {
      ended.await();
      Throwable why = failure;
      if (why != null) {
        throw Status.fromThrowable(why).asRuntimeException();
      }
      A reply = value;
      if (reply == null) {
        throw Status.UNKNOWN.withDescription("the call ended without a reply").asRuntimeException();
      }
      members.replied(member);
      return reply;
    }

    @Override
    public void close() {
      inProgress.remove(call);
      if (!hasEnded()) {
        call.cancel("not needed any more", null);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    inProgress.forEach(call -> call.cancel(CANCELLED, null));
  }
}
