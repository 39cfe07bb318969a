package io.holdfast.etcd.verbs;

import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.concurrent.atomic.AtomicInteger;

/** A channel that counts calls, and can lose the events of watches. */
final class LossyChannel extends Channel {

  private final Channel channel;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger missed = new AtomicInteger();
  private volatile boolean deaf;

  LossyChannel(Channel channel) {
    this.channel = channel;
  }

  void hearsNoEvents() {
    deaf = true;
  }

  /** How many events were lost. */
  int missed() {
    return missed.get();
  }

  /** How many calls were begun. */
  int calls() {
    return calls.get();
  }

  @Override
  public String authority() {
    return channel.authority();
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    calls.incrementAndGet();
    return new SimpleForwardingClientCall<>(channel.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onMessage(A message) {
                if (deaf && message instanceof WatchResponse told && told.getEventsCount() > 0) {
                  missed.incrementAndGet();
                  request(1);
                } else {
                  super.onMessage(message);
                }
              }
            },
            headers);
      }
    };
  }
}
