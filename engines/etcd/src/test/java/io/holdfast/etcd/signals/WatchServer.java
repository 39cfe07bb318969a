package io.holdfast.etcd.signals;

import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A channel whose watch streams are controlled by a test, on its own thread. */
final class WatchServer extends Channel {

  private final List<Stream<?, ?>> opened = new ArrayList<>();
  private @Nullable Status ends;

  /** The next stream ends while it is opened, as where there is no connection. */
  void nextEnds(Status status) {
    ends = status;
  }

  int opened() {
    return opened.size();
  }

  Stream<?, ?> last() {
    return opened.get(opened.size() - 1);
  }

  @Override
  public String authority() {
    return "scripted";
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    Stream<Q, A> stream = new Stream<>(ends);
    ends = null;
    opened.add(stream);
    return stream;
  }

  /** One stream. */
  static final class Stream<Q, A> extends ClientCall<Q, A> {
    private final @Nullable Status ends;
    private Listener<A> listener = new Listener<>() {};
    private boolean cancelled;

    Stream(@Nullable Status ends) {
      this.ends = ends;
    }

    @SuppressWarnings("unchecked")
    void says(WatchResponse response) {
      listener.onMessage((A) response);
    }

    boolean isCancelled() {
      return cancelled;
    }

    @Override
    public void start(Listener<A> to, Metadata headers) {
      listener = to;
      if (ends != null) {
        listener.onClose(ends, new Metadata());
      }
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      cancelled = true;
      listener.onClose(Status.CANCELLED, new Metadata());
    }

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(Q message) {}
  }
}
