package io.holdfast.etcd;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** A channel whose answers were written down before: for each call of a method the next one. */
final class Scripted extends Channel {

  private final Map<String, Deque<Object>> answers = new HashMap<>();

  /** The next answer of a method: a message, or a status for a failure. */
  Scripted says(MethodDescriptor<?, ?> method, Object answer) {
    answers.computeIfAbsent(method.getFullMethodName(), m -> new ArrayDeque<>()).add(answer);
    return this;
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
