package io.holdfast.etcd.connection;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** A channel with scripted replies: the next one for each call of a method. */
public final class ScriptedChannel extends Channel {

  private final Map<String, Deque<Object>> answers = new HashMap<>();

  /** The next reply of a method: a message, or a status for a failure. */
  public ScriptedChannel says(MethodDescriptor<?, ?> method, Object answer) {
    answers.computeIfAbsent(method.getFullMethodName(), m -> new ArrayDeque<>()).add(answer);
    return this;
  }

  /** The next lease that is made has that id and lasts so long. */
  public ScriptedChannel grantsLease(long term, long lease, Duration time) {
    return says(
        LeaseGrpc.getLeaseGrantMethod(),
        LeaseGrantResponse.newBuilder()
            .setHeader(header(term))
            .setID(lease)
            .setTTL(time.toSeconds())
            .build());
  }

  /** The next keep-alive succeeds. */
  public ScriptedChannel keepsLease(long term, long lease, Duration time) {
    return says(
        LeaseGrpc.getLeaseKeepAliveMethod(),
        LeaseKeepAliveResponse.newBuilder()
            .setHeader(header(term))
            .setID(lease)
            .setTTL(time.toSeconds())
            .build());
  }

  /** The next read is answered in that term. */
  public ScriptedChannel reads(long term) {
    return says(
        KVGrpc.getRangeMethod(), RangeResponse.newBuilder().setHeader(header(term)).build());
  }

  /** The header of a reply in that term. */
  public static ResponseHeader header(long term) {
    return ResponseHeader.newBuilder().setRaftTerm(term).build();
  }

  @Override
  public String authority() {
    return "scripted";
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    Deque<Object> left = answers.getOrDefault(method.getFullMethodName(), new ArrayDeque<>());
    return new Call<>(left.isEmpty() ? Status.INTERNAL.withDescription("no more") : left.poll());
  }

  /** Answers when all was sent. */
  private static final class Call<Q, A> extends ClientCall<Q, A> {
    private final Object says;
    private Listener<A> listener = new Listener<>() {};

    Call(Object says) {
      this.says = says;
    }

    @Override
    public void start(Listener<A> to, Metadata headers) {
      listener = to;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(String message, Throwable cause) {}

    @Override
    public void sendMessage(Q message) {}

    @Override
    @SuppressWarnings("unchecked")
    public void halfClose() {
      if (says instanceof Status failure) {
        listener.onClose(failure, new Metadata());
      } else {
        listener.onHeaders(new Metadata());
        listener.onMessage((A) says);
        listener.onClose(Status.OK, new Metadata());
      }
    }
  }
}
